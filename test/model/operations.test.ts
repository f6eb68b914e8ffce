import { nights } from './nights/nights';
import { ofFiles, played } from './played';
import { haveNames, holds, holdsOf } from './suite';

holds(ofFiles);
holdsOf(nights);
haveNames(played);
