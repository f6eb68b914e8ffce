import type {
	ExistingDocument,
	Plan,
	Rule,
} from '../../../nodes/CometChatKnowledgeBase/delivery/plan';
import { plan } from '../../../nodes/CometChatKnowledgeBase/delivery/plan';

const attached: ExistingDocument = { uniqueId: 'attached', isAttached: true };
const another: ExistingDocument = { uniqueId: 'another', isAttached: true };
const failed: ExistingDocument = { uniqueId: 'failed', isAttached: true, status: 'failed' };
const unused: ExistingDocument = { uniqueId: 'unused', isAttached: false };
const others: ExistingDocument = { uniqueId: 'others', isAttached: false, isUsedByOthers: true };
const own: ExistingDocument = { uniqueId: 'own', isAttached: false, isOwn: true };
const unreported: ExistingDocument = { uniqueId: 'unreported' };
const says = (content: string, one = attached): ExistingDocument => ({ ...one, content });

const create = (...retire: ExistingDocument[]): Plan => ({ action: 'create', retire });
const refuse = (reason: 'exists' | 'notReported', ...found: ExistingDocument[]): Plan => {
	return { action: 'refuse', reason, found };
};

test.each<[Rule, ExistingDocument[], Plan]>([
	['add', [attached], create()],
	['fail', [], create()],
	['fail', [unused], create()],
	['fail', [unused, attached], refuse('exists', attached)],
	['fail', [unreported], refuse('notReported', unreported)],
	['skip', [unused], create()],
	['skip', [unused, attached], { action: 'skip', found: attached }],
	['skip', [unreported], refuse('notReported', unreported)],
	['skip', [failed], create()],
	['skip', [failed, attached], { action: 'skip', found: attached }],
	['skip', [{ ...unreported, status: 'failed' }], create()],
	['fail', [failed], refuse('exists', failed)],
	['replace', [], create()],
	['replace', [attached, another, unused], create(attached, another)],
	['replace', [unreported, own, unused], create(unreported, own)],
	['replace', [says('old')], create(says('old'))],
	['replace', [another, says('new')], { action: 'use', found: says('new'), retire: [another] }],
	[
		'replace',
		[another, says('new', failed)],
		{ action: 'update', found: says('new', failed), retire: [another] },
	],
	['update', [], create()],
	['update', [says('new'), another], { action: 'use', found: says('new'), retire: [another] }],
	['update', [failed, another], { action: 'update', found: another, retire: [failed] }],
	['update', [failed, unused], { action: 'update', found: failed, retire: [] }],
	['update', [others, unused, attached], { action: 'update', found: attached, retire: [] }],
	['update', [others, unused], { action: 'update', found: unused, retire: [] }],
	['update', [others], { action: 'update', found: others, retire: [] }],
	['update', [another, says('new')], { action: 'use', found: says('new'), retire: [another] }],
	['update', [says('new', unused), another], { action: 'update', found: another, retire: [] }],
	['update', [failed], { action: 'update', found: failed, retire: [] }],
])('%s, where there are %j', (rule, existing, expected) => {
	expect(plan({ content: 'new' }, existing, rule)).toEqual(expected);
});

test("An unknown content is no document's content", () => {
	expect(plan({}, [attached], 'replace')).toEqual(create(attached));
});
