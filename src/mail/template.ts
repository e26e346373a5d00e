// The template variables in subjects and messages. Pure.

export const TEMPLATE_VARIABLES = ['recipient_name', 'workspace_name', 'survey_title', 'survey_link'] as const;

type Variable = (typeof TEMPLATE_VARIABLES)[number];

const VARIABLE = new RegExp(`\\{\\{(${TEMPLATE_VARIABLES.join('|')})\\}\\}`);

/** The template's own text, with values for its variables. Variables within a value aren't expanded, and anything else in braces stays. */
export const expandPieces = <T>(template: string, values: Readonly<Record<Variable, T>>): (string | T)[] =>
  template.split(VARIABLE).map((piece, index) => (index % 2 === 0 ? piece : values[piece as Variable]));

export const expand = (template: string, values: Readonly<Record<Variable, string>>): string =>
  expandPieces(template, values).join('');

export const withoutVariables = (template: string): string =>
  expand(template, { recipient_name: '', workspace_name: '', survey_title: '', survey_link: '' });

const NAME = '{{recipient_name}}';

export const hasName = (template: string): boolean => template.includes(NAME);

/**
 * A greeting at the start of a message: up to three words, the name, and after it only punctuation, a title, or the greeting of a language that
 * has the name first, as in `Dear {{recipient_name}},` and `{{recipient_name}} 様`. A line with a comma before the name doesn't match, because
 * it also makes sense without the name: `Thank you, Ada!` No two parts beside each other take the same characters, or a line of many spaces would
 * take cubic time.
 */
const GREETING =
  /^\s*(?:[^\s{},،]+[ \t]+){0,3}\{\{recipient_name\}\}(?:[ \t]*(?:様|さま|さん|님))?[\p{P} \t]*(?:(?:您好|你好|안녕하세요)[\p{P} \t]*)?(?=\r?\n|$)/u;
/** The name at the start of a sentence, with what joins it to the words after it. */
const FIRST = /(?<=(?:^|[\n.!?؟]|[.!?؟] )[¡¿„“«"'(]?)\{\{recipient_name\}\}(?:[,:،]|[ \t]+[–—-](?= ))?[ \t]*/gu;

/** Removes spaces and at most one comma from the end. A pattern would take quadratic time for a text of many spaces. */
function withoutJoin(text: string): string {
  const trimmed = text.slice(0, endOf(text, ' \t'));
  return /[,،]$/.test(trimmed) ? trimmed.slice(0, endOf(trimmed.slice(0, -1), ' \t')) : trimmed;
}

/** The position after the last character that isn't one of these. */
function endOf(text: string, characters: string): number {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] ?? '')) end -= 1;
  return end;
}

/**
 * The message for a recipient whose name isn't known.
 * @param greeting Replaces a line that greets by name, such as `Dear {{recipient_name}},`. Undefined: the service doesn't speak the
 * message's language, so the line only loses the name.
 */
export const withoutName = (message: string, greeting: string | undefined): string =>
  (greeting === undefined ? message : message.replace(GREETING, () => greeting))
    .replace(FIRST, '')
    .split(NAME)
    .map((piece, index, pieces) => (index < pieces.length - 1 ? withoutJoin(piece) : piece))
    .join('');

/** At most this many characters of a line without a name count as a greeting. */
const MAX_GREETING = 40;

/**
 * A message without its greeting: a first line that greets by name, a short one that ends like `Hello,`, or this one.
 * @param greeting Of recipients without a name. Some languages end it without a mark.
 */
export function withoutGreeting(message: string, greeting: string | undefined): string {
  const [first = '', ...rest] = message.trim().split('\n');
  const isGreeting =
    first.trimEnd() === greeting || GREETING.test(first) || (first.length <= MAX_GREETING && /[,،:：!！]\s*$/.test(first));
  return (isGreeting ? rest.join('\n') : message).trim();
}

/** Names in double braces that are no variables and so are probably misspelled. Each is listed once, in order. */
export function unknownVariables(template: string): string[] {
  const names = [...template.matchAll(/\{\{([^{}\n]*)\}\}/g)].map(([, name = '']) => name);
  return [...new Set(names)].filter((name) => !TEMPLATE_VARIABLES.some((variable) => variable === name));
}
