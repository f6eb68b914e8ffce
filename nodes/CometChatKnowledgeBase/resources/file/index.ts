import type { Resource } from '../../execution/operation';
import { addText } from './addText';
import { deleteFiles } from './deleteFiles';
import { getManyFiles } from './getManyFiles';
import { getStatus } from './getStatus';
import { retryIndexing } from './retryIndexing';
import { uploadFiles } from './uploadFiles';

export const file: Resource = {
	value: 'file',
	name: 'File',
	operations: [addText, deleteFiles, getManyFiles, getStatus, retryIndexing, uploadFiles],
	initial: uploadFiles,
};
