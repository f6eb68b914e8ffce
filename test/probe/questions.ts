import type { Answer } from './answer';
import type { Step } from './client';
import { AGENTS, BUILDER, DOCUMENTS } from './throwaways';

/** What CometChat's pages leave open, what we made of it, and how the live service is asked. */
export interface Question {
	question: string;
	/** What the node does, or takes for true. */
	choice: string;
	/** What to do if it is otherwise. */
	otherwise: string;
	/** Left out: this is only told. */
	steps?: Array<Step | string>;
	/** Undefined if it can't be told. */
	expected?: (...answers: Answer[]) => boolean | undefined;
}

/** What is in every file and text. */
const CONTENT = 'Made by a test of n8n-nodes-cometchat; safe to delete';

const SOURCE_TYPES = ['uploads', 'text', 'website', 'knowledge-base'];
const READY = ['indexed', 'inSync'];
const STATUSES = [...READY, 'indexing', 'failed'];

const FIRST_AGENT = `GET ${AGENTS}?limit=1`;
const AGENT = `GET ${AGENTS}/{agent}`;
export const RECORDS = `GET ${DOCUMENTS}?limit=100`;
const UPLOADS = `${DOCUMENTS}/uploads`;
const TEXTS = `${DOCUMENTS}/text`;
const PAGES = `${DOCUMENTS}/website/{website}/discovered-urls`;
const AS_USER = { onbehalfof: '{user}' };

/** Gives documents to the throwaway agent, or takes them. */
function change(typeAndVerb: string, ...uniqueIds: string[]): string {
	const body = JSON.stringify({ uniqueIds });
	return `PATCH ${AGENTS}/{agent}/knowledge-base/${typeAndVerb} ${body}`;
}

function poll(...uniqueId: string[]): string {
	return `POST ${DOCUMENTS}/status/poll ${JSON.stringify({ uniqueId })}`;
}

function watch(id: string): Step {
	return { send: poll(id), until: (told) => told.text(`data/${id}`) !== 'indexing' };
}

/** Of a file; its bytes are for the address that comes. @param name For its ID. */
function announce(name: string): Step {
	const file = `{"fileName":"{mark}a.txt","mimeType":"text/plain","fileSize":${CONTENT.length}}`;
	const pdf = file.replace('a.txt', 'broken.pdf').replace('text/plain', 'application/pdf');
	return {
		send: `POST ${UPLOADS}/initiate {"files":[${name === 'broken' ? pdf : file}]}`,
		makes: { [name]: 'uploads' },
		keeps: { [`${name}Address`]: 'uploads/0/presignedUrl' },
	};
}

const store = (name: string, type = 'text/plain'): Step => {
	return { send: `PUT {${name}Address} ${CONTENT}`, headers: { 'content-type': type } };
};

const areDone = (...answers: Answer[]) => answers.every(({ done }) => done);
const areNotFound = (...answers: Answer[]) => answers.every(({ status }) => status === 404);
const hasAnswer = (messages: Answer) => messages.at('data/[type=assistant]') !== undefined;

/** By the subject. They are asked in this order, in which each finds what it needs. */
export const QUESTIONS: Record<string, Question[]> = {
	'Keys, hosts and refusals': [
		{
			question: 'Does the key open the list of agents?',
			choice: 'The test of the credential asks for one agent.',
			otherwise: 'Use a REST API key with the scope `fullAccess`, and the region of the dashboard.',
			steps: [FIRST_AGENT],
			expected: ({ entries }) => entries !== undefined,
		},
		{
			question: 'What comes for a wrong key, and for a wrong address?',
			choice: 'The node goes by the code, else by the status, and shows the message.',
			otherwise: 'The error may name another cause: look at the key first.',
			steps: [
				{ send: FIRST_AGENT, headers: { apikey: 'nobody-has-this' } },
				`GET ${BUILDER}/no-such-address`,
			],
			expected: (wrongKey, nowhere) =>
				wrongKey.status === 401 &&
				`${nowhere.text('error/message')}${nowhere.text('message')}` !== '',
		},
		{
			question: 'What comes for an agent, a text or a website that does not exist?',
			choice: 'The status 404, with a code or without. A web page does not count.',
			otherwise: 'The error is a general one: look at the ID.',
			steps: ['agents', 'knowledge-base/text', 'knowledge-base/website'].map(
				(list) => `GET ${BUILDER}/${list}/{unknown}${/web/.test(list) ? '/discovered-urls' : ''}`,
			),
			expected: areNotFound,
		},
		{
			question: 'How does CometChat say when it takes requests again?',
			choice: 'After a 429 the node obeys `Retry-After`, else the reset time, else its own pauses.',
			otherwise: 'Set _Max Requests per Minute_.',
		},
		{
			question: 'Does a custom host need the ID of the app, in the header `appid`?',
			choice: 'The node sends it where the credential has one for a custom host.',
			otherwise: 'Fill in _App ID_ in the credential, or empty it.',
		},
	],
	'Agents, IDs and source types': [
		{
			question: 'What does making an agent answer?',
			choice: 'The node reads the agent in `agent`. It sends no model unless you choose one.',
			otherwise: 'Make agents in the dashboard.',
			steps: [
				{
					send: `POST ${AGENTS} {"name":"{mark}agent","isActive":false,"description":"Test"}`,
					makes: { agent: 'agent' },
				},
			],
			expected: (made) => made.ok && made.text('agent/uid') !== '',
		},
		{
			question: 'Does a change of an agent leave the other fields as they are?',
			choice: 'The node sends only what changes. It reads an agent without anything around it.',
			otherwise: 'Fill in all fields of _Agent: Update_.',
			steps: [`PATCH ${AGENTS}/{agent} {"description":"Changed"}`, AGENT],
			expected: (changed, agent) =>
				changed.done && agent.text('description') === 'Changed' && agent.text('name') !== '',
		},
		{
			question: 'Does the list of agents show inactive ones, and find a part of a name?',
			choice: 'We take it so. Nothing is deleted unless the list has each agent that a run knows.',
			otherwise: 'Pick agents _By ID_, and delete old versions by hand.',
			steps: [`GET ${AGENTS}?limit=50&search={mark}`],
			expected: (agents) => agents.at('data/[uid={agent}]') !== undefined,
		},
		{
			question: 'Which source types are there?',
			choice: `The node offers ${SOURCE_TYPES.join(', ')}. An expression can give any other.`,
			otherwise: 'Set _Source Type_ with an expression.',
			steps: [...SOURCE_TYPES, 'no-such-type'].map((type) => change(`${type}/add`, '{unknown}')),
			// What is answered like a made-up type is none.
			expected: (...answers) => {
				const like = answers.map((one) => one.text('error/code') || String(one.status));
				const types = like.filter((one) => one !== like.at(-1));
				return types.length === 0 ? undefined : types.length === SOURCE_TYPES.length;
			},
		},
	],
	'Uploading and indexing': [
		{
			question: 'Has each upload an ID and an address of its own?',
			choice: 'We take it so, also for two of one name. PDF, DOCX, CSV, TXT and MD are announced.',
			otherwise: 'Upload files in the dashboard.',
			steps: ['file', 'again', 'broken'].map(announce),
			expected: (...answers) => {
				const ids = new Set(answers.map((one) => one.text('uploads/0/uploadId')));
				return ids.size === answers.length && !ids.has('');
			},
		},
		{
			question: 'Which verb and headers does an upload address want? Can it be used twice?',
			choice: 'A `PUT` with the announced type. A 412 after a lost answer counts as stored.',
			otherwise: 'Upload files in the dashboard, and use _Add Files_.',
			steps: [store('file'), store('file')],
			expected: (first, again) => first.ok && (again.ok || again.status === 412),
		},
		{
			question: 'Does indexing begin with the upload? Which statuses are there?',
			choice: `The node waits, and knows ${STATUSES.join(', ')}. The first two are ready.`,
			otherwise: 'Switch _Wait Until Indexed_ off, or shorten _Max Indexing Time_.',
			steps: [watch('{file}'), poll('{again}')],
			expected: (told, empty) =>
				READY.includes(told.text('data/{file}')) && STATUSES.includes(empty.text('data/{again}')),
		},
		{
			question: 'What becomes of a broken file, and of a retry?',
			choice: 'It ends as failed, without a reason. A retry is sent for whatever you name.',
			otherwise: 'Delete the file, and upload it anew.',
			steps: [
				store('broken', 'application/pdf'),
				watch('{broken}'),
				`PATCH ${UPLOADS}/{broken}/sync`,
				`PATCH ${UPLOADS}/{unknown}/sync`,
			],
			expected: (_, told, retried, unknown) =>
				told.text('data/{broken}') === 'failed' && areDone(retried) && areNotFound(unknown),
		},
		{
			question: 'How are the pages of a document counted?',
			choice: 'The node asks for 100 at a time, and takes each once, wherever the count begins.',
			otherwise: 'Look in the dashboard for what CometChat has read.',
			steps: [`GET ${UPLOADS}/{file}/pages?limit=100`],
			expected: (pages) => pages.text('data/pageContent/0/pageNumber') !== '',
		},
		{
			question: 'Is 50 MB 50,000,000 or 52,428,800 bytes?',
			choice: 'The node takes the smaller.',
			otherwise: 'Upload large files in the dashboard.',
		},
	],
	Texts: [
		{
			question: 'Does CometChat keep a text as it was sent, also a change, under the same ID?',
			choice: 'We take it so, but for white space around it, and that the list shows it at once.',
			otherwise: '_Create or Update_ writes it in each run: use _Text: Update_ with the ID.',
			steps: [
				{ send: `POST ${TEXTS} {"title":"{mark}text","text":"Safe"}`, makes: { text: 'text' } },
				`GET ${TEXTS}/{text}`,
				`PATCH ${TEXTS}/{text} {"text":"Safe to delete"}`,
				`GET ${TEXTS}`,
			],
			expected: (_, text, changed, texts) =>
				text.text('data/text') === 'Safe' &&
				changed.done &&
				texts.text('data/[uniqueId={text}]/text') === 'Safe to delete',
		},
	],
	'Adding and removing': [
		{
			question: 'Is it harmless to add or remove twice?',
			choice: 'We take it so. A refusal after a lost answer ends as `unknown`, never as done.',
			otherwise: 'After an `unknown` look at the agent. Take out by hand what _Sync Files_ cannot.',
			steps: ['add', 'add', 'remove', 'remove'].map((verb) => change(`uploads/${verb}`, '{file}')),
			expected: areDone,
		},
		{
			question: 'Is a list with an unknown ID applied in part?',
			choice: 'The node takes a refused list for not applied.',
			otherwise: 'Switch _Check IDs First_ on.',
			steps: [change('uploads/add', '{file}', '{unknown}'), AGENT],
			expected: (added, agent) => added.ok || !agent.has('files', '{file}'),
		},
		{
			question: "Do an agent's `files` hold the IDs of its files and texts?",
			choice: 'The node believes a list that names a document. Before that it is `notTold`.',
			otherwise: 'Old versions stay: use _Delete Old Version: Always_, or the ID.',
			steps: [change('uploads/add', '{file}'), change('text/add', '{text}'), AGENT],
			expected: (file, text, agent) =>
				areDone(file, text) && agent.has('files', '{file}') && agent.has('files', '{text}'),
		},
		{
			question: 'How many IDs may one request have?',
			choice: 'The node asks for 100 statuses at a time, and adds up to 100 files in a bundle.',
			otherwise: 'Lower _Max File IDs per Request_.',
		},
	],
	Lists: [
		{
			question: 'Under which name and type is a document listed? Are `start` and `end` needed?',
			choice:
				'A file as `uploads`, a text as `text-details`, all else is a website. Neither is sent.',
			otherwise: '_Sync Files_ and _Replace File_ take it for new: delete old versions by hand.',
			steps: [RECORDS],
			expected: (records) =>
				records.text('data/[uniqueId={file}]/type') === 'uploads' &&
				records.text('data/[uniqueId={file}]/sourceName').endsWith('a.txt') &&
				records.text('data/[uniqueId={text}]/type') === 'text-details',
		},
		{
			question: 'How does a list go on?',
			choice: 'At the place that `meta.next` names, to the end. Anything else is an error.',
			otherwise: 'Give IDs, not names.',
			steps: [
				{
					send: `GET ${DOCUMENTS}?limit=1`,
					keeps: { first: 'data/0/uniqueId', next: 'meta/next/cursor' },
				},
				`GET ${DOCUMENTS}?limit=1&affix=append&cursor={next}`,
			],
			expected: (_, { entries }) => entries?.length === 1,
		},
	],
	Websites: [
		{
			question: 'Does a crawl answer when it is over? Which website has it made?',
			choice: 'We take it so. The node looks for a new website with that address in the list.',
			otherwise: 'Crawl in the dashboard, and give websites to agents by their ID.',
			steps: [
				{
					send: `POST ${DOCUMENTS}/website/scrape {"url":"{site}","maxDepth":1,"maxPages":1}`,
					makes: { crawled: 'website' },
				},
				{
					send: RECORDS,
					until: (records) => records.at('data/[sourceName={site}]') !== undefined,
					keeps: { website: 'data/[sourceName={site}]/uniqueId' },
				},
			],
			expected: (crawl, records) =>
				crawl.text('data/status') === 'completed' &&
				records.at('data/[sourceName={site}]') !== undefined,
		},
		{
			question: 'Who has the pages indexed, and when is a website ready?',
			choice: 'The node chooses what is `discovered`, and waits until all is processed or failed.',
			otherwise: 'Choose the pages in the dashboard.',
			steps: [
				`POST ${PAGES}/process {"exclude":[]}`,
				{
					send: `GET ${PAGES}?limit=100`,
					until: (pages) => !/^(?:discovered|processing)$/.test(pages.text('data/0/status')),
					keeps: { page: 'data/0/urlId' },
				},
				`PATCH ${PAGES}/sync {"uniqueIds":["{page}"]}`,
			],
			expected: (_, pages, retried) =>
				/^(?:processed|failed)$/.test(pages.text('data/0/status')) && retried.ok,
		},
		{
			question: 'Can an agent be given a website?',
			choice: "The node adds its ID as `website`. CometChat's page names files and texts only.",
			otherwise: 'Give agents websites in the dashboard.',
			steps: [change('website/add', '{website}'), AGENT],
			expected: (added, agent) => areDone(added) && agent.has('websites', '{website}'),
		},
	],
	'Asking an agent': [
		{
			question: 'Does a message that is sent over REST start the agent? Where is the answer?',
			choice: 'The node looks in the thread of the question and in the chat, for up to a minute.',
			otherwise: "Ask in CometChat's own apps: here each question ends without an answer.",
			steps: [
				{ send: 'POST /users {"uid":"{mark}user","name":"{mark}user"}', makes: { user: 'user' } },
				`PATCH ${AGENTS}/{agent} {"isActive":true}`,
				{
					send:
						'POST /messages {"receiver":"{agent}","receiverType":"user","category":"message",' +
						'"type":"text","data":{"text":"Which day comes after Monday?"}}',
					headers: AS_USER,
					keeps: { message: 'data/id' },
				},
				{ send: 'GET /messages/{message}/thread?limit=100', headers: AS_USER, until: hasAnswer },
				{
					send: 'GET /users/{agent}/messages?limit=100&affix=append&id={message}&category=agentic',
					headers: AS_USER,
				},
				'DELETE /messages/{message} {"permanent":true}',
				`PATCH ${AGENTS}/{agent} {"isActive":false}`,
			],
			expected: (...answers) => answers.some(hasAnswer) && answers.every(({ ok }) => ok),
		},
		{
			question: 'Does the key list the users of the app? Have agents the role `@agentic` there?',
			choice: 'The list behind _Ask As_ leaves them out.',
			otherwise: 'Set _Ask As_ by _By ID_.',
			steps: ['user', 'agent'].map((name) => `GET /users?perPage=100&searchKey={${name}}`),
			expected: (users, agents) =>
				users.at('data/[uid={user}]') !== undefined &&
				[undefined, '@agentic'].includes(agents.at('data/0/role')?.toString()),
		},
		{
			question: 'What does a question cost? Do moderation or a role hold it back?',
			choice: 'We take it for a chat like any other. What is held back has no answer in time.',
			otherwise: 'Look at your plan, and at the rules of your app.',
		},
	],
	Deleting: [
		{
			question: 'Is a deleted document gone from its agents and from the statuses, too?',
			choice: 'The node says so. A 404 after a lost answer counts as deleted.',
			otherwise: 'Remove it from its agents first. After an `unknown` look in the dashboard.',
			steps: [
				...[`DELETE ${UPLOADS}/{file}`, `DELETE ${UPLOADS}/{file}`, poll('{file}', '{again}')],
				AGENT,
			],
			expected: (deleted, again, told, agent) =>
				areDone(deleted) &&
				areNotFound(again) &&
				told.text('data/{file}') === '' &&
				!agent.has('files', '{file}'),
		},
	],
	'The examples': [
		{
			question: 'Do the examples for Google Drive and OneDrive run there?',
			choice: "Nobody here has an account. Their fields are those of n8n 2.41.1's own nodes.",
			otherwise: "Look at the fields of n8n's node.",
		},
	],
};
