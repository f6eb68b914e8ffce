import { ofOthers, played } from './played';
import { haveNames, holds } from './suite';

holds(ofOthers);
// Here, too: with another operation asked for, it is the only test of the file, and Jest wants one.
haveNames(played);
