import { shownTime } from '../../../nodes/CometChatKnowledgeBase/values/times.js';
import type { KnowledgeRecord } from '../../service/service.js';
import { document } from '../../../nodes/CometChatKnowledgeBase/resources/document/index.js';
import { isDeepStrictEqual } from 'node:util';
import { assertHolds, type Prove } from '../prove.mjs';
import { until } from '../until.mjs';
import { closeNode, openNode } from './canvas.mjs';
import { assertInFull, untilShown, WINDOW } from './editor.mjs';
import type { Environment } from './environment.mjs';
import { assertLabels, assertOffered, choose, chosen, field } from './nodeView.mjs';

/** The operations on documents, and the fields of a workflow that knew none of them. */
export async function proveDocuments(
	prove: Prove,
	{ page, service, open, takePicture }: Environment,
): Promise<void> {
	await prove('a workflow saved with version 0.1.0 opens as what it was saved as', async () => {
		await open('saved-with-0.1.0');
		for (const [name, operation] of [
			['Every Option Set', 'Add Files'],
			['Agent from List', 'Remove Files'],
			['Nothing but Defaults', 'Add Files'],
		] as const) {
			await openNode(page, name);
			const shown: string[] = [];
			for (const each of ['resource', 'operation', 'filesBy']) shown.push(await chosen(page, each));
			const expected = ["Agent's Knowledge Base", operation, 'By ID'];
			assertHolds(isDeepStrictEqual(shown, expected), `${name} opens as ${shown.join(' | ')}`);
			await closeNode(page);
		}
	});

	await prove(
		'operations on documents are explained in full; Upload asks for an agent unless the files are to be added to none',
		async () => {
			await open('upload-large-file');
			await openNode(page, 'Upload Files');
			await assertOffered(
				page,
				'operation',
				document.operations.map(({ name }) => name),
			);
			const before = ['Credential', 'Resource', 'Operation', 'Input Data Field Name'];
			before.push('Add to Agent');
			const after = ['Wait Until Indexed', 'Options'];
			await assertLabels(page, [...before, ...after]);
			await field(page, 'addToAgent').locator('.el-switch').click();
			await field(page, 'uid').waitFor();
			await assertLabels(page, [...before, 'Agent', ...after]);
			await takePicture(page, 'upload-files', WINDOW);
			await closeNode(page);
		},
	);

	const files = page.locator('.el-select-dropdown__item').filter({ visible: true });
	/** Opens the list to pick files from and waits for these entries. */
	const untilListed = async (expected: string[]) => {
		// n8n may close the list as its entries come: then a person opens it again.
		await until('the list of files stays open', 30_000, async () => {
			if ((await files.count()) === 0) await field(page, 'pickedFiles').click();
			await page.waitForTimeout(1000);
			return (await files.count()) > 0;
		});
		await untilShown(files, expected);
		await assertInFull(files.locator('.option-headline'));
		await assertInFull(files.locator('.option-description'));
	};
	const ofType = (type: string) => service.records().filter((record) => record.type === type);
	const entry = (record: KnowledgeRecord, more = '') =>
		`${record.sourceName}\n${record.status} · ${timeOf(record)} · ${more}${record.uniqueId}`;

	await prove('files are picked from a list with their names, status, times and IDs', async () => {
		service.reset();
		await open('upload-then-add');
		await openNode(page, 'Add Files');
		await choose(page, 'filesBy', 'From List');
		const [first] = ofType('uploads');
		await untilListed(ofType('uploads').map((record) => entry(record)));
		await takePicture(page, 'file-list', WINDOW);
		await files.first().click();
		await page.keyboard.press('Escape');
		await field(page, 'pickedFiles')
			.getByText(first?.sourceName ?? '')
			.waitFor();

		await choose(page, 'sourceType', 'Text');
		await untilListed(ofType('text-details').map((record) => entry(record)));
		await page.keyboard.press('Escape');
		await closeNode(page);
	});

	const [own] = ofType('uploads').slice(1);
	/** The agent that the node has chosen has one file; of the others, CometChat tells nothing. */
	const giveOwn = () =>
		service.script({
			for: { operation: 'agent', uid: 'support-bot' },
			transform: (body) => ({ ...Object(body), files: [own?.uniqueId] }),
			times: Infinity,
		});

	await prove(
		"files are removed from the agent's own where CometChat tells them, otherwise from all, and each says so",
		async () => {
			service.reset();
			giveOwn();
			await open('upload-then-add');
			await openNode(page, 'Add Files');
			await choose(page, 'operation', 'Remove Files');
			await choose(page, 'filesBy', 'From List');
			await untilListed(own ? [entry(own)] : []);
			await page.keyboard.press('Escape');
			await field(page, 'uid').getByTestId('rlc-input').fill('sales-assistant');
			await field(page, 'filesBy').click();
			await page.keyboard.press('Escape');
			await untilListed(
				ofType('uploads').map((one) => entry(one, 'not known whether the agent has it · ')),
			);
			await page.keyboard.press('Escape');
			await closeNode(page);
		},
	);

	await prove(
		'the old version is picked from a list that is searched, by name and time',
		async () => {
			service.reset();
			await open('upload-then-add');
			await openNode(page, 'Add Files');
			await choose(page, 'operation', 'Replace File');
			await choose(page, 'oldVersionBy', 'List or ID');
			const shown = (record: KnowledgeRecord) =>
				`${shortened(record.sourceName)} · ${timeOf(record)} · ${record.status}`;
			const entries = page.getByTestId('rlc-item');
			await field(page, 'oldFile').getByTestId('rlc-input').click();
			await untilShown(entries, ofType('uploads').map(shown));
			await takePicture(page, 'old-file', WINDOW);
			await page.getByTestId('rlc-search').fill('terms');
			const found = ofType('uploads').filter(({ sourceName }) => sourceName.startsWith('Terms'));
			await untilShown(entries, found.map(shown));
			await entries.first().click();
			const picked = await field(page, 'oldFile').getByTestId('rlc-input').inputValue();
			assertHolds(found[0] !== undefined && picked === shown(found[0]), `It shows '${picked}'.`);
			await closeNode(page);
		},
	);
}

/** As n8n's editor shows it: in the time zone of the instance, here n8n's default. */
function timeOf({ createdAt }: KnowledgeRecord): string {
	return shownTime(createdAt, 'America/New_York') ?? '';
}

/** As a line of a resource locator has room for it. */
function shortened(name: string): string {
	return name.length > 32 ? `${name.slice(0, 20)}…${name.slice(-11)}` : name;
}
