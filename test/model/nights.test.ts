import { nights } from './nights/nights';
import { holdsOf } from './suite';

holdsOf(nights);
