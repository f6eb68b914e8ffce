import { proveDocuments } from './browser/documents.mjs';
import { proveFillingIn } from './browser/fillingIn.mjs';
import { proveOnCanvas } from './browser/onCanvas.mjs';
import { proveOptions } from './browser/options.mjs';
import { noPictures, type TakePicture } from './browser/pictures.mjs';
import { proveRunningTheStep } from './browser/running.mjs';
import { proveSettingUp } from './browser/settingUp.mjs';
import { startStage, withPictures } from './browser/stage.mjs';
import type { Topic } from './prove.mjs';

/** The node in n8n's editor, used in a headless Chromium as by somebody who has never seen it. */
export const browser: Topic = inBrowser(noPictures);

/**
 * @param takePicture Called at the steps that the README and docs/ show.
 * @param servicePort The port of the stand-in, which can be read in a picture; 0: any.
 */
export function inBrowser(takePicture: TakePicture, servicePort = 0): Topic {
	return {
		name: 'browser',
		async proveAll(prove, tarball) {
			const stage = await startStage(tarball, takePicture, servicePort);
			try {
				const proveHere = withPictures(prove, stage.page);
				await proveSettingUp(proveHere, stage);
				await proveFillingIn(proveHere, stage);
				await proveOptions(proveHere, stage);
				await proveRunningTheStep(proveHere, stage);
				await proveDocuments(proveHere, stage);
				await proveOnCanvas(proveHere, stage);
			} finally {
				await stage.stop();
			}
		},
	};
}
