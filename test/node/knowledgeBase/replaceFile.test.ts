import type { INodeParameters } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { freshAccount, HELD, jsonOf, RECORDS } from './replacement';
import { agent, arrivals, continuing, errorOf, file } from '../operations';

describe('The order', () => {
	const { service, replace, newest, attached, recordIds } = freshAccount();

	test('is: looked up, uploaded, indexed, added, removed, deleted if no other agent has it', async () => {
		const { output } = await replace();
		const id = newest();
		expect(arrivals(service())).toEqual([
			'records',
			'list',
			'initiate prices.pdf',
			'upload prices.pdf',
			`poll ${id}`,
			`add support-bot ${id}`,
			'remove support-bot old',
			'list',
			'deleteUpload old',
		]);
		expect(attached()).toEqual([...HELD.slice(1), id]);
		expect(recordIds()).not.toContain('old');
		expect(output.map(({ json }) => json)).toEqual([
			{
				success: true,
				uid: 'support-bot',
				fileName: 'prices.pdf',
				oldId: 'old',
				newId: id,
				reached: ['uploaded', 'indexed', 'added', 'removed', 'deleted'],
			},
		]);
	});

	describe('leaves the document where CometChat gives the new version the ID of the old one', () => {
		const reused = (body: unknown) =>
			JSON.stringify(body).replace(/"uploadId":"[^"]+"/, '"uploadId":"old"');

		test.each([
			['and takes its bytes', {}],
			['and refuses its bytes', { for: { operation: 'upload' as const }, status: 400 }],
		])('%s', async (_, rule) => {
			service().script({ for: { operation: 'initiate' }, transform: reused }, rule);
			await replace({ deleteOldVersion: 'always' }, continuing);
			expect(arrivals(service()).join()).not.toMatch(/remove|delete/);
			expect(attached()).toEqual(HELD);
			expect(recordIds()).toContain('old');
		});
	});

	test('holds while indexing takes its time', async () => {
		service().scriptIndexing({ for: { fileName: 'prices.pdf' }, ms: 1500 });
		await replace({ deleteOldVersion: 'never' });
		const lines = arrivals(service());
		expect(lines.filter((line) => line.startsWith('poll')).length).toBeGreaterThan(1);
		expect(lines.slice(-2)).toEqual([`add support-bot ${newest()}`, 'remove support-bot old']);
	});

	test('ends where the new version cannot be indexed: it is not added, and the old one stays', async () => {
		service().scriptIndexing({ ends: 'failed' });
		const run = await replace({}, continuing);
		expect(attached()).toEqual(HELD);
		const id = newest();
		expect(errorOf(run)).toMatchObject({
			message: 'CometChat was not able to read "prices.pdf" [item 0]',
			description: expect.stringContaining(
				`The new one (ID ${id}) is in CometChat, and was not added to the agent. Check that "prices.pdf" (ID ${id}) opens`,
			),
			reached: ['uploaded'],
		});
	});

	test('ends with the stop button while it waits: the old version stays in its place', async () => {
		service().scriptIndexing({ ms: Infinity });
		const stop = (async () => {
			while (!arrivals(service()).some((line) => line.startsWith('poll'))) await sleep(5);
		})();
		const { status } = await replace({}, { stop });
		expect(status).toBe('canceled');
		expect(attached()).toEqual(HELD);
	});
});

describe('The old version by its name', () => {
	const { service, replace, newest, attached, give, recordIds } = freshAccount();

	test('can be another name than the new one has', async () => {
		const { output } = await replace({ oldFileName: ' prices.docx ' });
		expect(output[0]?.json.oldId).toBe('other');
		expect(attached()).toEqual([...HELD.filter((id) => id !== 'other'), newest()]);
	});

	test.each<[string, INodeParameters, string, string]>([
		['the new one', {}, 'Mu\u0308ller.pdf', 'composed'],
		['the field', { oldFileName: 'Mu\u0308ller.pdf' }, 'prices.pdf', 'composed'],
		['CometChat', {}, 'Z\u00fcrich.pdf', 'decomposed'],
	])('is found if %s has its name as macOS writes it', async (_, parameters, fileName, oldId) => {
		const { output } = await replace(parameters, { files: [{ data: file(fileName) }] });
		expect(output[0]?.json.oldId).toBe(oldId);
	});

	test('is the one that this agent has, where others have uploads of the name', async () => {
		const ofSales = { uid: agent('sales-assistant') };
		const first = await replace({ ...ofSales, ifNotFound: 'add' });
		expect(first.output[0]?.json).toMatchObject({ success: true, newId: newest() });
		const ofSalesId = newest();
		expect(first.output[0]?.json.oldId).toBeUndefined();
		expect((await replace()).output[0]?.json.oldId).toBe('old');
		expect((await replace(ofSales)).output[0]?.json.oldId).toBe(ofSalesId);
	});

	test('is told by the agent itself where the list of agents does not hold it', async () => {
		await give('sales-assistant', 'theirs');
		const without = (page: unknown) => ({ ...Object(page), data: [] });
		service().script({ for: { operation: 'list' }, transform: without });
		const { output } = await replace({ oldFileName: 'prices.docx' });
		expect(arrivals(service()).slice(0, 3)).toEqual(['records', 'list', 'agent support-bot']);
		expect(output[0]?.json).toMatchObject({ success: true, oldId: 'other' });
	});

	test('is not looked for with an agent that CometChat does not know: nothing is uploaded', async () => {
		const run = await replace({ uid: agent('nobody') }, continuing);
		expect(arrivals(service())).toEqual(['records', 'list', 'agent nobody']);
		expect(errorOf(run)).toMatchObject({
			message: 'CometChat does not know this agent [item 0]',
			effect: 'not applied',
		});
	});

	test('is not guessed if the agent has two of it: nothing is uploaded, and the words name both', async () => {
		const run = await replace({ oldFileName: 'twice.pdf' }, continuing);
		expect(arrivals(service())).toEqual(['records', 'list']);
		expect(errorOf(run)).toMatchObject({
			message: 'The agent has 2 files named "twice.pdf" [item 0]',
			description:
				"\"prices.pdf\" was not uploaded. To replace all of them, set 'Find Old Version By' to All of That Name; to replace one, set it to List or ID and pick it in 'Old File'. They are: indexed, 31 Jan 2026, 06:55 GMT-5, ID two; failed, 31 Jan 2026, 06:54 GMT-5, ID one.",
			effect: 'not applied',
		});
	});

	test.each([
		['nowhere', 'none.pdf', 'CometChat has no uploaded file named "none.pdf"'],
		[
			'with another agent only',
			'theirs.pdf',
			'The agent "Support Bot" (support-bot) has no uploaded file named "theirs.pdf", though CometChat has',
		],
	])('that is %s is an error, and nothing is uploaded', async (_, oldFileName, what) => {
		await give('sales-assistant', 'theirs');
		const run = await replace({ oldFileName }, continuing);
		expect(arrivals(service())).toEqual(['records', 'list']);
		expect(errorOf(run)).toMatchObject({
			message: `${what} [item 0]`,
			description:
				"\"prices.pdf\" was not uploaded. Check 'Agent' and 'Old File Name', which stands for the new file's name if it is empty. If the file is new to the agent, set 'If There Is None' to Add the File. If the old one has another name, set 'Find Old Version By' to List or ID and pick it in 'Old File'.",
		});
	});

	test('that is not there is no error if the user wants the file added then', async () => {
		const { output } = await replace({ oldFileName: 'none.pdf', ifNotFound: 'add' });
		expect(attached()).toEqual([...HELD, newest()]);
		expect(output[0]?.json).toEqual({
			success: true,
			uid: 'support-bot',
			fileName: 'prices.pdf',
			newId: newest(),
			reached: ['uploaded', 'indexed', 'added'],
		});
		expect(recordIds()).toHaveLength(RECORDS.length + 1);
	});
});

describe('The old version by its ID', () => {
	const { service, replace, attached, newest, give } = freshAccount();

	test.each([
		[
			'picked from the list',
			{ __rl: true, mode: 'list', value: 'two', cachedResultName: 'twice.pdf' },
		],
		['given in the field', { __rl: true, mode: 'id', value: ' two ' }],
		['given by an expression in place of the field', '={{ "two" }}'],
	])('is the upload %s that the agent has, also where two have its name', async (_, oldFile) => {
		const { output } = await replace({ oldVersionBy: 'id', oldFile });
		expect(output[0]?.json.oldId).toBe('two');
		expect(attached()).toEqual([...HELD.filter((id) => id !== 'two'), newest()]);
	});

	test.each([
		['that does not exist', 'gone', 'CometChat has no file with this ID: "gone"'],
		['of a text', 'text', '"prices.pdf" (ID text) is not an uploaded file'],
		['that another agent has', 'theirs', '"theirs.pdf" (ID theirs) is not a file of this agent'],
	])('%s fails with nothing uploaded', async (_, oldFile, what) => {
		await give('support-bot', 'text', 'text');
		await give('sales-assistant', 'theirs');
		const run = await replace({ oldVersionBy: 'id', oldFile }, continuing);
		expect(arrivals(service())).toEqual(['records', 'list']);
		expect(errorOf(run)).toMatchObject({
			message: `${what} [item 0]`,
			description:
				"\"prices.pdf\" was not uploaded. Check 'Agent'; then pick the file anew in 'Old File', or correct the ID there. Or set 'Find Old Version By' to File Name.",
			effect: 'not applied',
			reached: [],
		});
	});
});

describe('All uploads of a name that the agent has', () => {
	const { service, replace, attached, newest, recordIds, standings, give } = freshAccount();
	const ALL = { oldVersionBy: 'allNamed', oldFileName: 'twice.pdf' };
	const left = () => HELD.filter((id) => id !== 'two' && id !== 'one');

	test('are taken out and deleted once the agent has the new version; another agent keeps its own', async () => {
		const namesake = { files: [{ data: file('twice.pdf') }], ...continuing };
		const ofSales = { uid: agent('sales-assistant'), ifNotFound: 'add' };
		await replace({ ...ofSales, ...ALL }, namesake);
		const ofSalesId = newest();
		service().clearLog();
		const run = await replace(ALL, namesake);
		const newId = newest();
		expect(run.output[0]?.json).toEqual({
			success: true,
			uid: 'support-bot',
			fileName: 'twice.pdf',
			oldId: 'two',
			oldIds: ['two', 'one'],
			newId,
			reached: ['uploaded', 'indexed', 'added', 'removed', 'deleted'],
		});
		expect(attached()).toEqual([...left(), newId]);
		expect(recordIds().filter((id) => ['two', 'one'].includes(id))).toEqual([]);
		expect(attached('sales-assistant')).toEqual([ofSalesId]);
		expect(run.hints.map(({ type }) => type)).not.toContain('warning');
		const steps = arrivals(service()).filter((line) => /^(add|remove|delete)/.test(line));
		expect(steps).toEqual([
			`add support-bot ${newId}`,
			'remove support-bot two',
			'remove support-bot one',
			'deleteUpload two',
			'deleteUpload one',
		]);
		const without = standings.filter((ids) => !ids.includes('two') || !ids.includes('one'));
		expect(without.every((ids) => ids.includes(newId))).toBe(true);
	});

	test('are one or none as well', async () => {
		const one = await replace({ oldVersionBy: 'allNamed' });
		expect(one.output[0]?.json).toMatchObject({ oldId: 'old', oldIds: ['old'] });
		const none = { ...ALL, oldFileName: 'none.pdf' };
		expect(jsonOf(await replace(none, continuing)).message).toContain('CometChat has no upload');
		const { oldId, oldIds } = jsonOf(await replace({ ...none, ifNotFound: 'add' }));
		expect([oldId, oldIds]).toEqual([undefined, []]);
	});

	test('stay in CometChat as far as another agent has them, and leave this one', async () => {
		await give('sales-assistant', 'one');
		const json = jsonOf(await replace(ALL));
		expect(json).toMatchObject({
			reached: ['uploaded', 'indexed', 'added', 'removed'],
			notDeleted: 'Other agents have the old version: "Sales Assistant"',
		});
		expect(recordIds()).toContain('one');
		expect(recordIds()).not.toContain('two');
		expect(attached()).toEqual([...left(), newest()]);
	});

	test('are all named where the first cannot be taken out', async () => {
		service().script({ for: { operation: 'remove' }, status: 400 });
		const json = jsonOf(await replace(ALL, continuing));
		expect(json).toMatchObject({
			oldIds: ['two', 'one'],
			reached: ['uploaded', 'indexed', 'added'],
		});
		expect(json.description).toContain('still has the old one (ID two, one)');
		expect(attached()).toEqual([...HELD, newest()]);
	});

	test('are the new one, too, where an item before has brought it', async () => {
		const files = [1, 2].map((at) => ({ data: file('twice.pdf', `${at}`) }));
		const { output } = await replace({ oldVersionBy: 'allNamed' }, { files });
		expect(output[1]?.json.oldIds).toEqual([output[0]?.json.newId]);
		expect(attached()).toEqual([...left(), output[1]?.json.newId]);
	});
});

describe('What the agent still has of the names', () => {
	const { replace, newest } = freshAccount();
	const warningsOf = ({ hints }: Awaited<ReturnType<typeof replace>>) =>
		hints.filter(({ type }) => type === 'warning').map(({ message }) => message);
	const twice = { files: [{ data: file('twice.pdf') }] };

	test.each<[string, INodeParameters, object, RegExp]>([
		[
			'the name of both',
			{ oldVersionBy: 'id', oldFile: 'two' },
			twice,
			/^The agent still has 1 other file named "twice.pdf": failed, .*, ID one\. Take old versions from it with Remove Files; or set 'Find Old Version By' to All of That Name, which replaces them all\.$/,
		],
		[
			"the old one's name",
			{ oldVersionBy: 'id', oldFile: 'one' },
			{},
			/^The agent still has 2 other files named "prices.pdf", "twice.pdf": .*, ID old; .*, ID two\. /,
		],
		[
			"the new one's name",
			{ oldFileName: 'prices.docx' },
			{},
			/^The agent still has 1 other file named "prices.pdf": .*, ID old\. /,
		],
		[
			"the new one's name, where there was no old one",
			{ oldFileName: 'none.pdf', ifNotFound: 'add' },
			twice,
			/^The agent still has 2 other files named "twice.pdf": .*, ID two; .*, ID one\. /,
		],
	])('is warned of: %s', async (_, parameters, more, said) => {
		const run = await replace(parameters, more);
		expect(run.output[0]?.json).toMatchObject({ success: true, newId: newest() });
		expect(warningsOf(run)).toEqual([expect.stringMatching(said)]);
	});

	test('is nothing where it has none, and no reason to warn where the replacement failed', async () => {
		expect(warningsOf(await replace())).toEqual([]);
		const run = await replace({ oldVersionBy: 'id', oldFile: 'gone' }, { ...twice, ...continuing });
		expect(warningsOf(run)).toEqual([expect.stringContaining('1 item failed')]);
	});
});

describe('An old version that is not found', () => {
	const { replace } = freshAccount();

	test.each<[string, INodeParameters]>([
		['by its name', { oldFileName: 'none.pdf' }],
		['by its ID', { oldVersionBy: 'id', oldFile: 'gone' }],
	])(
		'%s has no ID in the output, and is for n8n a setting that does not fit',
		async (_, parameters) => {
			const { error } = await replace(parameters);
			expect(error).toMatchObject({ failure: { cause: 'configuration-invalid' } });
			const json = jsonOf(await replace(parameters, continuing));
			expect([json.oldId, json.newId, json.reached]).toEqual([undefined, undefined, []]);
		},
	);
});

describe.each(['empty', 'otherIds'] as const)(
	"Where the agents' lists do not tell what they have (%s)",
	(agentLists) => {
		const { service, replace, attached, newest } = freshAccount({ agentLists });

		test.each<[string, INodeParameters, string]>([
			['the only upload of its name', {}, 'old'],
			['the upload with its ID', { oldVersionBy: 'id', oldFile: 'two' }, 'two'],
		])('the old version is %s', async (_, parameters, oldId) => {
			const { output, hints } = await replace(parameters);
			expect(output[0]?.json).toMatchObject({ success: true, oldId });
			expect(attached()).toEqual([...HELD.filter((id) => id !== oldId), newest()]);
			expect(hints.map(({ type }) => type)).not.toContain('warning');
		});

		test.each<[string, INodeParameters, string]>([
			['two have its name', { oldFileName: 'twice.pdf' }, 'CometChat has 2 files named'],
			[
				'its ID is a text',
				{ oldVersionBy: 'id', oldFile: 'text' },
				'(ID text) is not an uploaded file',
			],
			[
				'all of its name are asked for',
				{ oldVersionBy: 'allNamed' },
				'does not tell which files named "prices.pdf" the agent has',
			],
		])('nothing is uploaded if %s', async (_, parameters, what) => {
			const run = await replace(parameters, continuing);
			expect(arrivals(service())).toEqual(['records', 'list']);
			expect(errorOf(run)).toMatchObject({ message: expect.stringContaining(what) });
		});
	},
);

describe('Before anything is sent', () => {
	const { service, replace } = freshAccount();

	const byId = { oldVersionBy: 'id', oldFile: '../x' };
	const byNeither = { oldVersionBy: '={{ "name" }}', oldFile: 'old' };
	test.each<[string, INodeParameters, string]>([
		['an old ID that could leave the address', byId, `'Old File' is "../x", and an address`],
		['no old file', { oldVersionBy: 'id', oldFile: '={{ "" }}' }, "'Old File' is empty"],
		['no old name', { oldFileName: '={{ $json.nothing }}' }, "'Old File Name' is not a text"],
		['another way to find it', byNeither, "'Find Old Version By' is not one of its choices"],
		['another choice', { ifNotFound: '={{ "maybe" }}' }, "'If There Is None' is not one of"],
		['a yes', { deleteOldVersion: '={{ true }}' }, "'Delete Old Version' is not one of its"],
		['several files', { binaryPropertyName: '*' }, 'several files, and this operation takes one'],
		['another field', { binaryPropertyName: 'gone' }, 'no file in the field "gone" (it has "data"'],
		['no agent', { uid: agent('={{ "" }}') }, "'Agent' is empty"],
	])('%s is refused', async (_, parameters, message) => {
		const files = [{ data: file('prices.pdf'), more: file('more.pdf') }];
		const run = await replace(parameters, { ...continuing, files });
		expect(service().log).toEqual([]);
		// Nor is * advised, which would be refused.
		const description = expect.not.stringContaining('*');
		expect(errorOf(run)).toMatchObject({ message: expect.stringContaining(message), description });
	});
});
