// The second third of the languages: see languages.ts.
import t from 'tap';
import { checkLanguages } from './languages.ts';

await checkLanguages(t, 2);
