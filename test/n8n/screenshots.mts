import { startFilm } from './browser/film.mjs';
import { picturesIntoDocs } from './browser/pictures.mjs';
import { inBrowser } from './browser.mjs';
import { proveTopics } from './prove.mjs';

/** Always the same: it is to be read in the picture of the credential. */
const SERVICE_PORT = 8080;

/** `npm run screenshots`: the proofs of the browser once more, with the pictures of them for the README and docs/. */
await proveTopics(
	[inBrowser({ takePicture: picturesIntoDocs, film: startFilm() }, SERVICE_PORT)],
	[],
);
