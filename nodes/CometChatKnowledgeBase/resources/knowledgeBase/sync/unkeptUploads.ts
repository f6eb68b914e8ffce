import { createHash } from 'node:crypto';

import type { Account } from '../../../account/account';
import { composed } from '../../../input/document';

/** An upload, and the SHA-256 of its content. */
export interface SentContent {
	uniqueId: string;
	sha256: string;
}

/** A file of a folder, for an agent. */
export interface FileForAgent {
	account: Account;
	uid: string;
	fileName: string;
}

/**
 * What this process has sent in runs whose note n8n does not keep, such as those by hand. It tells the content of
 * an upload that the agent still shows under its ID, and nothing else: neither that there is one, nor whose it is.
 */
export class UnkeptUploads {
	private readonly byFile = new Map<string, SentContent>();

	/** @param most Of more files the oldest is forgotten. */
	constructor(private readonly most: number) {}

	of(file: FileForAgent): SentContent | undefined {
		return this.byFile.get(keyOf(file));
	}

	remember(file: FileForAgent, sent: SentContent): void {
		this.forget(file);
		this.byFile.set(keyOf(file), sent);
		const [oldest] = this.byFile.keys();
		if (this.byFile.size > this.most && oldest !== undefined) this.byFile.delete(oldest);
	}

	forget(file: FileForAgent): void {
		this.byFile.delete(keyOf(file));
	}
}

/** A hash, since names may be long; without the key of the account. */
function keyOf({ account: { baseUrl, appId = '' }, uid, fileName }: FileForAgent): string {
	const place = JSON.stringify([baseUrl, appId, uid.toLowerCase(), composed(fileName)]);
	return createHash('sha256').update(place).digest('base64url');
}
