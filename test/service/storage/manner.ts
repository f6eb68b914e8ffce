import type { Manner } from '../answer';
import type { Rule } from '../script';

/**
 * A 'no' of the upload host, with the codes of S3's public table of error responses
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html).
 */
export interface StorageRefusal {
	status: number;
	code: string;
	message: string;
	/** Further elements of the XML. */
	more?: Record<string, string>;
}

const CODES: Record<number, string> = {
	403: 'AccessDenied',
	404: 'NoSuchKey',
	405: 'MethodNotAllowed',
	411: 'MissingContentLength',
	412: 'PreconditionFailed',
	500: 'InternalError',
	501: 'NotImplemented',
	503: 'SlowDown',
};

/** How the upload host answers: nothing but headers for a yes, XML for a no. */
export function storageManner(latencyMs: number): Manner {
	return {
		latencyMs,
		contentType: 'application/xml',
		write: (body) => (typeof body === 'string' ? body : ''),
		refuse: (status, { code, message }: Rule) =>
			errorXml({
				code: code ?? CODES[status] ?? (status < 500 ? 'InvalidRequest' : 'InternalError'),
				message: message ?? `The stand-in was told to answer ${status}.`,
			}),
		checked: false,
	};
}

export function errorXml({ code, message, more }: Omit<StorageRefusal, 'status'>): string {
	const elements = { Code: code, Message: message, ...more, RequestId: 'STANDIN0REQUEST' };
	const inner = Object.entries(elements).map(
		([name, text]) => `<${name}>${escaped(text)}</${name}>`,
	);
	return `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${inner.join('')}</Error>`;
}

function escaped(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
