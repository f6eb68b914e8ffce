import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { Folder } from '../demo/folder.mjs';
import type { Prove } from '../prove.mjs';
import { EXAMPLES, readWorkflow } from '../workflows.mjs';
import { closeNode, NODE_NAME, openNode } from './canvas.mjs';
import { WINDOW } from './editor.mjs';
import type { Environment } from './environment.mjs';
import { pdf, sendForm, type FormFile } from './form.mjs';
import { addNode, panelItems, searchNodes } from './nodePanel.mjs';
import { addOption, choose, executeStep, field, openAgents, outputPanel } from './nodeView.mjs';
import { AGENT, TaskRun, type Task } from './tasks.mjs';

/** The tasks of somebody's first week, each with the wrong turns that are near. */
export async function proveFirstWeek(prove: Prove, environment: Environment): Promise<void> {
	const tasks = new TaskRun(prove, environment);
	await tasks.go(pdfFromAForm(tasks, environment));
	await tasks.go(newPriceList(environment));
	await tasks.go(frequentQuestion(environment));
	await tasks.go(filesById(environment));
	await tasks.go(alert(tasks, environment));
	await tasks.go(whatAnAgentKnows(environment));
	await tasks.go(folderEveryNight(tasks, environment));
}

function pdfFromAForm(tasks: TaskRun, environment: Environment): Task {
	const { page } = environment;
	const send = async (...files: FormFile[]) => {
		await closeNode(page);
		const begin = async () => await page.getByTestId('execute-workflow-button').click();
		await tasks.untilRun(async () => await sendForm(page, files, begin));
		await openNode(page, UPLOAD);
	};
	return {
		title: 'A PDF from a form',
		// n8n lets the form's field take several files unless told otherwise.
		workflow: readWorkflow('first-day-form', { '"multipleFiles": false': '"multipleFiles": true' }),
		turns: [
			{
				does: 'the agent has it',
				run: async () => await firstWorkflow(tasks, environment),
				clicks: 6,
				uploads: 1,
				has: ['menu.pdf'],
				says: ['menu.pdf', '1 file was uploaded', 'indexed'],
			},
			{
				does: 'executed once more, it is there twice, which a warning says',
				clicks: 1,
				uploads: 1,
				has: ['menu.pdf', 'menu.pdf'],
				says: ['menu.pdf', 'same name', "'If the Name Is There'"],
			},
			{
				does: 'two files in one form are both there',
				run: async () => await send(pdf('allergens.pdf'), pdf('wines.pdf')),
				clicks: 4,
				uploads: 2,
				has: ['allergens.pdf', 'menu.pdf', 'menu.pdf', 'wines.pdf'],
				says: ['allergens.pdf', 'wines.pdf', '2 files were uploaded'],
			},
			{
				does: 'a sheet among them is named, and nothing is sent',
				run: async () => await send(pdf('desserts.pdf'), XLSX),
				clicks: 4,
				says: [XLSX.name, 'Nothing was sent'],
			},
		],
	};
}

function newPriceList({ page }: Environment): Task {
	return {
		title: 'A new price list',
		workflow: readWorkflow('first-day-folder', { "'menu.txt', 'prices.csv'": "'price-list.csv'" }),
		given: ['price-list.csv', 'returns-2026.pdf'],
		turns: [
			{
				does: 'an agent that has no old one is told from the right one, and nothing is sent',
				async fillIn() {
					await addNode(page, 'Replace a file of an agent by a new version');
					await pickAgent(page, 'sales-assistant');
				},
				clicks: 6,
				says: ['price-list.csv', "'Agent'", "'If There Is None'"],
			},
			{
				does: 'the agent has the new one in place of the old one',
				fillIn: async () => await pickAgent(page),
				clicks: 3,
				uploads: 1,
				has: ['price-list.csv', 'returns-2026.pdf (old)'],
				says: ['price-list.csv', 'deleted', 'true'],
			},
			{
				does: 'an old name without its ending is not found, and nothing is sent',
				fillIn: async () => await type(page, 'oldFileName', 'price-list'),
				clicks: 1,
				says: ['"price-list"', "'Old File Name'"],
			},
			{
				does: 'so it is with Upload, if the name is to be replaced',
				async fillIn() {
					await choose(page, 'resource', 'Document');
					await addOption(page, SAME_NAME);
					await choose(page, 'ifNameExists', 'Replace');
				},
				clicks: 7,
				uploads: 1,
				says: ['price-list.csv', 'indexed', 'replaced'],
			},
		],
	};
}

function frequentQuestion({ page }: Environment): Task {
	return {
		title: 'A frequent question',
		workflow: readWorkflow('uploaded-files'),
		turns: [
			{
				does: 'the agent has the answer',
				async fillIn() {
					await addNode(page, 'Create a text and add it to an agent');
					await type(page, 'title', 'Delivery');
					await type(page, 'text', 'We deliver within two days.');
					await pickAgent(page);
				},
				clicks: 6,
				has: ['Delivery'],
				says: ['Delivery', 'indexed'],
			},
			{
				does: 'without a text nothing is sent',
				fillIn: async () => await type(page, 'text', ' '),
				clicks: 1,
				says: ["'Text' is empty"],
			},
			{
				does: 'a new answer takes the place of the old one',
				async fillIn() {
					await type(page, 'text', 'We deliver within three days.');
					await addOption(page, SAME_NAME);
					await choose(page, 'ifNameExists', 'Replace');
				},
				clicks: 5,
				says: ['Delivery', 'indexed', 'replaced'],
			},
			{
				does: 'or is there beside it, which a warning says',
				fillIn: async () => await choose(page, 'ifNameExists', 'Add Another'),
				clicks: 3,
				has: ['Delivery', 'Delivery'],
				says: ['Delivery', 'same name', "'If the Name Is There'"],
			},
			{
				does: 'which of the two is to be replaced, nobody has said, and nothing is sent',
				fillIn: async () => await choose(page, 'ifNameExists', 'Replace'),
				clicks: 3,
				says: ['2 texts', 'Delivery', 'Nothing was changed'],
			},
		],
	};
}

function filesById({ page }: Environment): Task {
	const ofGoogleDrive = '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs';
	const another = ofGoogleDrive.replace('1', '2');
	return {
		title: 'Files by ID',
		workflow: readWorkflow('uploaded-files'),
		turns: [
			{
				does: "an ID of Google Drive's is accepted, which a warning says",
				async fillIn() {
					await addNode(page, 'Add already uploaded files to an agent');
					await pickAgent(page);
					await type(page, 'fileIds', ofGoogleDrive);
				},
				clicks: 6,
				has: [ofGoogleDrive],
				says: [ofGoogleDrive, "'Check IDs First'"],
			},
			{
				does: 'with Check IDs First it is named, and nothing is sent',
				async fillIn() {
					await type(page, 'fileIds', another);
					await addOption(page, 'Check IDs First');
					await field(page, 'checkIds').locator('.el-switch').click();
				},
				clicks: 4,
				says: [another, 'Nothing was sent'],
			},
		],
	};
}

function alert(tasks: TaskRun, { page, service }: Environment): Task {
	const [failed] = service.records().filter(({ status }) => status === 'failed');
	return {
		title: 'An alert',
		workflow: readWorkflow('alert-when-indexing-fails', {}, EXAMPLES),
		turns: [
			{
				does: 'a run by hand brings the text, with what has failed last',
				run: async () => await tasks.runWorkflow('Alert'),
				clicks: 3,
				says: [failed?.sourceName ?? 'failed', failed?.uniqueId ?? 'failed'],
			},
			{
				does: 'a key that CometChat refuses is named as the reason',
				async fillIn() {
					await closeNode(page);
					await openNode(page, 'Indexing Failed');
					service.script(refusedKey);
				},
				clicks: 4,
				says: ['API key'],
			},
			{
				does: 'of an agent that has nothing, there is nothing to show yet',
				async fillIn() {
					service.clearScript();
					await addOption(page, 'Agent');
					await pickAgent(page, 'sales-assistant');
				},
				clicks: 5,
				says: ['Choose Document Added to see what an item looks like', 'take filters away'],
			},
		],
	};
}

function whatAnAgentKnows({ page, service }: Environment): Task {
	const given = ['price-list.csv', 'returns-2026.pdf'];
	const records = service.records();
	const ids = records.flatMap(({ sourceName, uniqueId }) =>
		given.includes(sourceName) ? [uniqueId] : [],
	);
	return {
		title: 'What does this agent know?',
		workflow: readWorkflow('uploaded-files'),
		given,
		turns: [
			{
				does: 'its files, by their IDs',
				async fillIn() {
					await addNode(page, 'Get an agent');
					await pickAgent(page);
				},
				clicks: 6,
				says: ids,
			},
			{
				does: 'an agent that there is not is named',
				fillIn: async () => await typeAgent(page, 'suport-bot'),
				clicks: 3,
				says: ['suport-bot', "'Agent'"],
			},
			{
				does: 'all documents, with their names',
				async fillIn() {
					await choose(page, 'resource', 'Document');
					await choose(page, 'operation', 'Get Many');
				},
				clicks: 5,
				says: records.flatMap(({ sourceName, status }) => [sourceName, status]),
			},
			{
				does: 'a key that CometChat refuses is named as the reason',
				fillIn: async () => service.script(refusedKey),
				clicks: 1,
				says: ['API key'],
			},
		],
	};
}

function folderEveryNight(tasks: TaskRun, { page, home }: Environment): Task {
	const folder = new Folder(home, AGENT);
	const first = ['Canteen.md', 'Holidays.md', 'Parking.md'];
	const remove = (name: string) => rmSync(join(folder.path, name));
	return {
		title: 'A folder every night',
		workflow: folder.workflow(),
		turns: [
			{
				does: 'by hand, the agent has its files',
				run: async () => await tasks.runWorkflow(SYNC),
				clicks: 3,
				uploads: 3,
				has: first,
				says: [...first, 'added'],
			},
			{ does: 'by hand again, nothing is sent', clicks: 1, says: [...first, 'unchanged'] },
			{
				does: 'a sheet among them is named and left out, a changed file is replaced',
				async run() {
					writeFileSync(join(folder.path, XLSX.name), XLSX.buffer);
					folder.write('Canteen', 'Canteen: a second version, with a longer menu.');
					await tasks.runWorkflow(SYNC);
				},
				clicks: 4,
				uploads: 1,
				says: [...first, 'replaced', 'skipped', XLSX.name],
			},
			{
				does: 'for an agent that there is not, nothing is sent',
				fillIn: async () => await typeAgent(page, 'suport-bot'),
				clicks: 3,
				says: ['suport-bot', ...first, 'Nothing was changed'],
			},
			{
				does: 'published, a new file comes, and one that was deleted before is named',
				async run() {
					await typeAgent(page, AGENT);
					remove('Parking.md');
					remove(XLSX.name);
					folder.write('Garden', 'Garden: first version.');
					await closeNode(page);
					await page.getByTestId('workflow-open-publish-modal-button').click();
					await page.getByTestId('workflow-publish-button').click();
					await page.getByRole('button', { name: 'Got it' }).click();
					await tasks.untilRun();
					await tasks.openInLastRun(SYNC);
				},
				clicks: 10,
				uploads: 1,
				has: ['Canteen.md', 'Garden.md', 'Holidays.md', 'Parking.md'],
				says: ['Garden.md', 'added', 'Parking.md'],
			},
			{
				does: 'one that is deleted now is gone after two nights',
				async run() {
					await closeNode(page);
					await tasks.untilRun();
					remove('Holidays.md');
					for (let nights = 0; nights < 2; nights++) await tasks.untilRun();
					await tasks.openInLastRun(SYNC);
				},
				clicks: 4,
				has: ['Canteen.md', 'Garden.md', 'Parking.md'],
				says: ['Holidays.md', 'removed'],
			},
		],
	};
}

const UPLOAD = 'Upload files and add them to an agent';
const SYNC = 'Sync Files';
const SAME_NAME = 'If the Name Is There';
const XLSX: FormFile = {
	name: 'prices.xlsx',
	mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
	buffer: Buffer.from('PK'),
};
const refusedKey = { status: 401, code: 'AUTH_ERR_APIKEY_INVALID', times: Infinity };

async function pickAgent(page: Page, uid = AGENT): Promise<void> {
	await (await openAgents(page)).filter({ hasText: `(${uid})` }).click();
}

async function typeAgent(page: Page, uid: string): Promise<void> {
	await field(page, 'uid').getByTestId('rlc-mode-selector').click();
	await page.getByRole('option', { name: 'By ID' }).filter({ visible: true }).click();
	await field(page, 'uid').getByTestId('rlc-input').fill(uid);
	// n8n takes it over a little later.
	await page.waitForTimeout(500);
}

async function type(page: Page, name: string, text: string): Promise<void> {
	await field(page, name).locator('input, textarea').first().fill(text);
}

/** What the README shows: from the form to an agent that knows the PDF. */
async function firstWorkflow(
	tasks: TaskRun,
	{ page, film, takePicture }: Environment,
): Promise<void> {
	await film.step(page, 'Click + behind your form', page.getByTestId('canvas-handle-plus'));
	await searchNodes(page, 'upload pdf');
	const node = panelItems(page).filter({ hasText: NODE_NAME });
	await film.step(page, 'Type “upload pdf”', node);
	await node.click();
	const action = panelItems(page).filter({ hasText: UPLOAD });
	await film.step(page, 'Choose “Upload files”', action);
	await action.click();
	await page.getByTestId('ndv').waitFor();
	const agent = (await openAgents(page)).first();
	await film.step(page, 'Pick your agent', agent);
	await agent.click();
	const execute = page.getByTestId('node-execute-button');
	await film.step(page, 'Execute it', execute, page.getByTestId('node-parameters'));
	const look = async (form: Page) =>
		await film.step(form, 'Send the form with your PDF', form.locator('#submit-btn'));
	await tasks.untilRun(async () => {
		await sendForm(page, [pdf('menu.pdf')], async () => await executeStep(page), look);
	});
	const row = outputPanel(page).locator('tbody tr').first();
	await row.getByText('menu.pdf').first().waitFor();
	await film.step(page, 'Your agent can answer from it', row, outputPanel(page));
	film.end('first-workflow');
	await takePicture(page, 'upload-files', WINDOW);
}
