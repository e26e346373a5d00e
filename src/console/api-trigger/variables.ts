// What a member is told of text in double braces that is no template variable. It is no fault: a text may want its braces. Pure.
import { TEMPLATE_VARIABLES, unknownVariables } from '../../mail/template.ts';
import { nearest } from '../../trigger/nearest.ts';

/** Unknown variables that are named; a text may have thousands. */
const NAMED = 3;
/** Characters of one that are repeated. */
const SHOWN = 40;

function sentence(name: string): string {
  const near = nearest(name.trim(), TEMPLATE_VARIABLES);
  const shown = name.length > SHOWN ? `${name.slice(0, SHOWN)}…` : name;
  return `{{${shown}}} is not a variable and is mailed as it stands${near === undefined ? '.' : `; did you mean {{${near}}}?`}`;
}

/** @returns Sentences about what a text has in double braces; undefined if there is nothing to say. */
export function variableWarning(text: string): string | undefined {
  const unknown = unknownVariables(text);
  if (unknown.length === 0) return undefined;
  const more = unknown.length - NAMED;
  return [...unknown.slice(0, NAMED).map(sentence), ...(more > 0 ? [`And ${more} more.`] : [])].join(' ');
}
