// What is wrong with the template variables of a text, for its field and its preview. SQL refuses the same (require_variables.sql). Pure.
import { TEMPLATE_VARIABLES, unknownVariables } from '../mail/template.ts';
import { cutAfter, nearest } from '../text.ts';

/** How many unknown variables are named. A text may have thousands. */
const NAMED = 3;
const SHOWN = 40;

function sentence(name: string): string {
  const near = nearest(name.trim(), TEMPLATE_VARIABLES);
  return `{{${cutAfter(name, SHOWN)}}} isn't a variable. ${near === undefined ? `There are ${TEMPLATE_VARIABLES.map((one) => `{{${one}}}`).join(', ')}.` : `Did you mean {{${near}}}?`}`;
}

/** Misspelt variables would be sent as they are written. Undefined: all are known. */
export function variableError(text: string): string | undefined {
  const unknown = unknownVariables(text);
  if (unknown.length === 0) return undefined;
  const unlisted = unknown.length - NAMED;
  return [...unknown.slice(0, NAMED).map(sentence), ...(unlisted > 0 ? [`And ${unlisted} more.`] : [])].join(' ');
}
