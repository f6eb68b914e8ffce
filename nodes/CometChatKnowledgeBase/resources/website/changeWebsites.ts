import type { ItemOfFiles } from '../../bundling/splitResult';
import { changeAgents } from '../../documents/changeOfAgents';
import type { Reader } from '../../execution/items';
import type { Operation, RunContext } from '../../execution/operation';
import { agentField, websiteField } from '../../input/fields';
import { readUid, readWebsiteId } from '../../input/identifiers';
import type { ChangeOperation } from '../../service/attachments';
import { ValidationIssue } from '../../values/validationIssue';

const changedFields = [agentField, websiteField];

export const addWebsite: Operation = {
	value: 'add',
	name: 'Add to Agent',
	action: 'Add a website to an agent',
	description: 'Let an agent answer from a website that CometChat has read already',
	fields: changedFields,
	run: async (run) =>
		await changeAgents(run, websiteChangeReader(run, 'add'), { place: 'website' }),
};

export const removeWebsite: Operation = {
	value: 'remove',
	name: 'Remove From Agent',
	action: 'Remove a website from an agent',
	description:
		'Let an agent no longer answer from a website. The website itself stays in CometChat.',
	fields: changedFields,
	run: async (run) =>
		await changeAgents(run, websiteChangeReader(run, 'remove'), { place: 'website' }),
};

function websiteChangeReader(run: RunContext, operation: ChangeOperation): Reader<ItemOfFiles> {
	const uidOf = run.parameter('uid');
	const websiteOf = run.parameter('website');
	return (index) => {
		const uid = readUid(uidOf(index));
		if (uid instanceof ValidationIssue) return uid;
		const uniqueId = readWebsiteId(websiteOf(index));
		if (uniqueId instanceof ValidationIssue) return uniqueId;
		const change = { operation, uid, sourceType: 'website' as const, uniqueIds: [uniqueId] };
		return {
			kind: 'ready',
			task: { change, repeated: 0, unlike: [], attached: [] },
			requested: change,
		};
	};
}
