import { AgentLookups } from '../../execution/agentLookups';
import type { Asked } from '../../execution/batches';
import { laneOf, toBatches } from '../../execution/batches';
import type { Change, ChangeOperation } from '../../service/attachments';
import { readSourceType, readUid } from '../../input/identifiers';
import { Complaint } from '../../values/validationIssue';
import { deliver } from '../../execution/sendBatch';
import {
	agentField,
	combining,
	filesFields,
	ifNoFileIdsOption,
	keepOrderOption,
	optionsField,
	sourceTypeField,
} from '../../input/fields';
import { filesReader, readFileIdsOrSkip } from '../../input/fileIds';
import type { Reader, Ready } from '../../execution/items';
import { runItems } from '../../execution/items';
import { runInLanes } from '../../execution/lanes';
import type { Operation, Result, Session } from '../../execution/operation';
import type { Outcome } from '../../results/itemResult';
import { partsOfItems, settled } from '../../execution/splitResult';

/** A PATCH that is ready to be sent for one item. */
interface Task {
	change: Change;
	/** How many file IDs stood in the item more than once. */
	repeated: number;
}

const fields = [
	agentField,
	sourceTypeField,
	...filesFields,
	optionsField([ifNoFileIdsOption, keepOrderOption, ...combining]),
];

export const addFiles: Operation = {
	resource: 'knowledgeBase',
	value: 'add',
	name: 'Add Files',
	action: 'Add files to knowledge base',
	description: "Attach files to an agent's knowledge base, so that it can answer from them",
	fields,
	run: async (session) => await changeFiles(session, 'add'),
};

export const removeFiles: Operation = {
	resource: 'knowledgeBase',
	value: 'remove',
	name: 'Remove Files',
	action: 'Remove files from knowledge base',
	description: "Detach files from an agent's knowledge base. The files themselves are not deleted.",
	fields,
	run: async (session) => await changeFiles(session, 'remove'),
};

async function changeFiles(session: Session, operation: ChangeOperation): Promise<Result> {
	let course = { requests: 0, split: 0 };
	const outcomes = await runItems(session, reader(session, operation), async (ready) => {
		const sent = await send(session, ready);
		course = sent.course;
		return sent.outcomes;
	});
	return { outcomes, course };
}

function reader(session: Session, operation: ChangeOperation): Reader<Task> {
	const uidOf = session.parameter('uid');
	const sourceTypeOf = session.parameter('sourceType');
	const fileIdsOf = filesReader(session.parameter);
	return (index) => {
		const uid = readUid(uidOf(index));
		if (uid instanceof Complaint) return uid;
		const sourceType = readSourceType(sourceTypeOf(index));
		if (sourceType instanceof Complaint) return sourceType;
		const asked = { operation, uid, sourceType };
		const fileIds = readFileIdsOrSkip(fileIdsOf(index), session.settings, asked);
		if (fileIds instanceof Complaint || 'kind' in fileIds) return fileIds;
		const { ids: uniqueIds, repeated } = fileIds;
		const change = { ...asked, uniqueIds };
		return { kind: 'ready', task: { change, repeated }, asked: change };
	};
}

function* asked(ready: Array<Ready<Task>>): Generator<Asked> {
	for (const { index, task } of ready) yield { index, change: task.change };
}

async function send(session: Session, ready: Array<Ready<Task>>) {
	const { settings } = session;
	const batches = toBatches(asked(ready), settings);
	const run = { ...session, agents: new AgentLookups(session) };
	const deliveries = await runInLanes(
		batches,
		({ change }) => laneOf(change, settings),
		settings.parallelRequests,
		async (batch) =>
			await deliver(batch, run, () => {
				if (session.stopsOnFailure) session.end();
			}),
	);
	const parts = partsOfItems(deliveries.flat());
	const outcomes = new Map<number, Outcome>();
	for (const { index, task } of ready) {
		const [first, ...more] = parts.get(index) ?? [];
		if (first === undefined) continue;
		const { change, repeated } = task;
		outcomes.set(index, settled(index, [first, ...more], change, repeated, settings));
	}
	const split = deliveries.filter(({ length }) => length > 1).length;
	return { outcomes, course: { requests: batches.length, split } };
}
