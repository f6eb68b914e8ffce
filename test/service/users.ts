import type { Answer } from './answer';
import type { Holdings } from './holdings';
import type { ReceivedRequest } from './log';
import type { AnsweringOptions } from './messages';
import { DEFAULT_USERS } from './messages';

/** Agents are users, too, and come first here. In which order CometChat lists them is not documented. */
export function listUsers(
	{ path }: ReceivedRequest,
	{ agents }: Holdings,
	{ users = DEFAULT_USERS }: AnsweringOptions,
): Answer {
	const query = new URLSearchParams(path.split('?')[1]);
	const typed = (query.get('searchKey') ?? '').toLowerCase();
	const perPage = Number(query.get('perPage') ?? 100);
	const page = Number(query.get('page') ?? 1);
	const found = [
		...agents.all().map(({ uid, name }) => ({ uid, name, role: '@agentic' })),
		...users.map((uid) => ({ uid, name: `Name of ${uid}`, role: 'default' })),
	].filter(({ uid, name }) => [uid, name].some((text) => text.toLowerCase().startsWith(typed)));
	const data = found.slice((page - 1) * perPage, page * perPage);
	const pagination = {
		total: found.length,
		count: data.length,
		per_page: perPage,
		current_page: page,
		total_pages: Math.ceil(found.length / perPage),
	};
	return { status: 200, body: () => ({ data, meta: { pagination } }) };
}
