import type { RecordSeed, Service } from '../../service/service.js';
import type { WebsiteOptions } from '../../service/websites.js';
import { KEYS } from '../account.mjs';
import { SITES } from '../sites.mjs';

const SHOP = 'e6a1d0fb-3a4c-5c1e-8f55-6b0f6a1c9d20';

/** What the account has, newest first: documents as people have them, and one that can't be read. */
export const DOCUMENTS: RecordSeed[] = [
	{ sourceName: 'Scanned brochure.pdf', status: 'failed' },
	{ sourceName: 'Returns 2026.pdf', uniqueId: '5f7f3f85-2b14-550b-9b4d-8eb9b062ce99' },
	{ sourceName: 'Warranty terms 2026.pdf', uniqueId: 'd74e1d94-dce3-5ebd-96ff-3b6e5cd099b6' },
	{ sourceName: 'Shipping guide 2026.docx', uniqueId: 'cb0c03eb-fef3-56a0-8e64-87a839b5e3e9' },
	{ sourceName: 'Prices 2026.csv', uniqueId: 'da280fad-65ca-5026-844c-3091e66aa349' },
	{ sourceName: 'Discounts 2026.pdf', uniqueId: '83700c9b-ca83-574c-ae67-4593115b6b84' },
	{ sourceName: 'Catalogue 2026.pdf', uniqueId: 'afe0a85c-af3d-5d07-97fe-7f0dcd6de6aa' },
	{ sourceName: 'First week 2026.md', uniqueId: '57f2e91a-8bb3-537d-9785-5fbf39a170b6' },
	{ sourceName: 'Benefits 2026.pdf', uniqueId: 'caec1838-a77e-5c07-b6a4-4c9ed715c642' },
	{ sourceName: 'Passwords 2026.md', uniqueId: 'd98f330f-9bd5-5641-af9d-6ee20a240a52' },
	{ sourceName: 'Returns 2025.pdf', uniqueId: '0772a6af-9e8c-5406-90fd-5f6d0d2a217a' },
	{ sourceName: 'Prices 2025.csv', uniqueId: '5a05f49e-92f1-535c-916a-1475eb11d78d' },
	{ sourceName: 'Catalogue 2025.pdf', uniqueId: '0c96a0e7-985c-55fd-aaa1-add48487ab95' },
	{ sourceName: 'Benefits 2025.pdf', uniqueId: '8de0a3cb-49db-546e-beb6-2cccd05158a4' },
	{ sourceName: 'https://shop.example.com/', uniqueId: SHOP, type: 'website' },
];

const shopPage = (number: number, path: string) => ({
	urlId: `e6a1d0fb-3a4c-5c1e-8f55-6b0f6a1c9d2${number}`,
	url: `https://shop.example.com${path}`,
	status: path === '/login' ? ('failed' as const) : ('processed' as const),
});

/** A website that is there, with a page that could not be read, and one that can be crawled. */
export const WEBSITES: WebsiteOptions = {
	sites: SITES,
	found: { [SHOP]: ['/', '/returns', '/login'].map((path, index) => shopPage(index + 1, path)) },
	crawling: { ms: 3000, processMs: 700, atOnce: 1 },
};

/** What each agent has before anything is run: what was right last year. */
const HELD: Record<string, string[]> = {
	'support-bot': ['Returns 2025.pdf'],
	'sales-assistant': ['Prices 2025.csv', 'Catalogue 2025.pdf'],
	'onboarding-guide': ['Benefits 2025.pdf'],
};

/** Gives the agents what they have at the start. */
export async function attachHeld(service: Service): Promise<void> {
	for (const [uid, names] of Object.entries(HELD)) await attach(service, uid, names);
}

/** Gives an agent what the account has by these names; the log knows nothing of that. */
export async function attach(service: Service, uid: string, names: string[]): Promise<void> {
	const held = service.records().filter(({ sourceName }) => names.includes(sourceName));
	const url = `${service.baseUrl}/ai-agents/agent-builder/agents/${uid}/knowledge-base/uploads/add`;
	const answer = await fetch(url, {
		method: 'PATCH',
		headers: { 'Content-Type': 'application/json', apikey: KEYS.apiKey },
		body: JSON.stringify({ uniqueIds: held.map(({ uniqueId }) => uniqueId) }),
	});
	if (!answer.ok) throw new Error(`The stand-in refused the files of ${uid}.`);
	service.clearLog();
}

/** The names of what an agent has, in the order in which it came. */
export function namesAt(service: Service, uid: string): string[] {
	const records = service.records();
	return service.files(uid, 'uploads').map((id) => {
		return records.find(({ uniqueId }) => uniqueId === id)?.sourceName ?? id;
	});
}
