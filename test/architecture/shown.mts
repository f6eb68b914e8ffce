/**
 * What a person is shown has gone through the redaction, or is the node's or the user's own: the compiler
 * refuses anything else. Each planted line, in a copy that is never written, has to be refused, or not.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import ts from 'typescript';

const ROOT = path.resolve(import.meta.dirname, '../..');
const NODE = path.join(ROOT, 'nodes/CometChatKnowledgeBase');

const IMPORTS = `
import { Redaction } from './account/redaction';
import type { AttemptResult } from './requests/attemptResult';
import { toServiceResponse } from './requests/attemptResult';
import type { Standing, Steps } from './execution/steps';
import type { PickerEntry } from './methods/documents';
import type { TriggerChange } from './trigger/changes';
import type { Hint } from './results/hints';
import { StepFailure } from './results/itemFailure';
import type { CreatedRecord, Fields } from './results/itemResult';
import type { Explanation } from './results/messages';
import type { Agent } from './service/agents';
import { readAgent, readCreatedAgent, readModels, readWholeAgent, simplifiedAgent } from './service/agents';
import { readAgentMessages, readMessageId } from './service/chat';
import { readRecordPage, simplified } from './service/records';
import { readSourcePages } from './service/sourcePages';
import { readStatuses } from './service/statuses';
import { readUploads } from './service/uploads';
import { readCrawl, readFoundPages, readProcessed, readRetried } from './service/websites';
import type { Upload } from './service/uploads';
import type { Shown, Words } from './values/shown';
import { given, joined, worded } from './values/shown';

declare const agent: Agent;
declare const upload: Upload;
declare const steps: Steps;
declare const standing: Standing;
declare const body: unknown;
declare const text: string;
declare const redaction: Redaction;
`;

/** A line, and whether the compiler takes it. */
const PLANTED: Array<[line: string, isTaken: boolean]> = [
	['steps.done([{ name: agent.name }]);', true],
	['const name: string | undefined = agent.name; steps.done([{ name }]);', false],
	['steps.done([{ name: text }]);', false],
	['steps.done([{ names: [text] }]);', false],
	['steps.done([{ agent: { name: text } }]);', false],
	['steps.done([{ name: `${text} is it` }]);', false],
	['steps.done([{ address: upload.presignedUrl }]);', false],
	['steps.done([{ upload }]);', false],
	['steps.done([{ body }]);', false],
	["steps.done([{ action: 'kept', success: true, count: 5, none: null }]);", true],
	['steps.done([{ name: redaction.text(text) }]);', true],
	['steps.done([{ name: given(text) }]);', true],
	["steps.failed(new StepFailure('It broke', ''), {}, standing);", true],
	["steps.failed(new StepFailure(text, ''), {}, standing);", false],
	[
		"steps.failed(new StepFailure('It broke', ''), {}, { effect: 'unknown', consequence: text });",
		false,
	],
	["steps.failed(new StepFailure('It broke', ''), {}, { ...standing, goOn: text });", false],
	["steps.failed(new StepFailure('It broke', '', { said: text }), {}, standing);", false],
	["steps.failed(new StepFailure('It broke', ''), { text }, standing);", false],
	["const choice: PickerEntry = { name: text, value: given('a') };", false],
	['const choice: PickerEntry = { name: agent.uid, value: agent.uid };', true],
	['const change: TriggerChange = { event: "documentAdded", record: { uniqueId: text } };', false],
	['const simple: Fields = simplified({ uniqueId: agent.uid, sourceName: text });', false],
	['steps.remark(text);', false],
	['steps.warn(text);', false],
	['steps.noteCreated({ uniqueId: text, name: given(text) });', false],
	['const created: CreatedRecord = { uniqueId: given(text), name: text };', false],
	["const hint: Hint = { type: 'info', message: text };", false],
	["const explanation: Explanation = { what: text, remedy: '', said: '' };", false],
	["const explanation: Explanation = { what: 'It', remedy: '', said: text };", false],
	["const explanation: Explanation = { what: 'It', remedy: '', said: '', code: text };", false],
	["const explanation: Explanation = { what: 'It', remedy: '', said: '' };", true],
	['worded`The agent ${text}`;', false],
	['worded`The agent ${agent.uid} has ${5}`;', true],
	["joined([text], ', ');", false],
	['const words: Words = text;', false],
	['const shown: Shown = text;', false],
	['const told: Fields = simplifiedAgent({ uid: agent.uid, name: text });', false],
	['readAgent(body);', false],
	['readWholeAgent(body);', false],
	['readCreatedAgent(body);', false],
	['readModels(body);', false],
	['readAgentMessages(body);', false],
	['readMessageId(body);', false],
	['readRecordPage(body);', false],
	['readSourcePages(body);', false],
	['readStatuses(body);', false],
	['readUploads(body, []);', false],
	['readCrawl(body);', false],
	['readFoundPages(body);', false],
	['readProcessed(body);', false],
	['readRetried(body);', false],
	['readAgent(redaction.json(body));', true],
	["const reply: AttemptResult = { kind: 'response', status: 200, headers: {}, body };", false],
	['toServiceResponse(body);', false],
	['toServiceResponse(body, redaction);', true],
];

const planted = path.join(NODE, 'planted.ts');
const lines = PLANTED.map(([line]) => `{ ${line} }`);
const source = `${IMPORTS}\n${lines.join('\n')}\n`;
const firstLine = source.split('\n').indexOf(lines[0] ?? '');
const { config } = ts.readConfigFile(path.join(ROOT, 'tsconfig.json'), ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
const host = ts.createCompilerHost({ ...options, noUnusedLocals: false, noEmit: true });
const { getSourceFile, fileExists } = host;
host.fileExists = (file) => file === planted || fileExists(file);
host.getSourceFile = (file, ...more) =>
	file === planted
		? ts.createSourceFile(file, source, ts.ScriptTarget.ES2022)
		: getSourceFile(file, ...more);
const program = ts.createProgram(
	[planted],
	{ ...options, noUnusedLocals: false, noEmit: true },
	host,
);
const file = program.getSourceFile(planted);
const refused = new Set(
	program.getSemanticDiagnostics(file).flatMap(({ start }) => {
		const line = start === undefined ? undefined : file?.getLineAndCharacterOfPosition(start).line;
		return line === undefined ? [] : [line - firstLine];
	}),
);

let failed = 0;
for (const [at, [line, isTaken]] of PLANTED.entries()) {
	check(refused.has(at) !== isTaken, `${isTaken ? 'taken' : 'refused'}: ${line}`);
}
check(
	[...refused].every((at) => at >= 0),
	'the imports are there',
);

/** Whoever makes a foreign text `Shown` without the redaction: nobody who reads the service. */
const READERS = ['requests', 'service', 'methods'];
/** Of these, only what is put together from what is shown already, times and words of n8n. */
const MAY = [
	'methods/searchUploads.ts',
	'service/agents.ts',
	'service/records.ts',
	'service/statuses.ts',
];
for (const room of READERS) {
	for (const name of readdirSync(path.join(NODE, room))) {
		const relative = `${room}/${name}`;
		const uses = /\bgiven\(/.test(readFileSync(path.join(NODE, relative), 'utf8'));
		if (uses)
			check(MAY.includes(relative), `${relative} takes what it reads through the redaction`);
	}
}
console.log(`${failed === 0 ? 'all passed' : `${failed} failed`}`);
process.exitCode = failed === 0 ? 0 : 1;

function check(isSo: boolean, what: string): void {
	if (!isSo) failed += 1;
	console.log(`${isSo ? '✓' : '✗'} ${what}`);
}
