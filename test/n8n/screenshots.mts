import { startFilm } from './browser/film.mjs';
import { picturesIntoDocs } from './browser/pictures.mjs';
import { proveLanes } from './prove.mjs';
import { inBrowser } from './topics/browser.mjs';

/** A fixed port, which is readable in the picture of the credential. */
const SERVICE_PORT = 8080;

const pictures = { takePicture: picturesIntoDocs, film: startFilm() };

/** `npm run screenshots`: the proofs of the browser, with the pictures for the README and docs/. */
await proveLanes([[inBrowser(pictures, SERVICE_PORT)]]);
