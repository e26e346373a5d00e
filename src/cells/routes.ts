// Where a router sends each call. One table of rules says it by the names of the parameters. What has none of them is in one list, with the reason.
import type { CellFunction, Parameter } from './catalog.ts';

/**
 * cell: to the cell that an argument names, by a function of schema invite_router.
 * each: to every cell, each with an exception block of its own. What is down is skipped.
 * named: for `cell list`, in schema invite_router, to the cell that is named first.
 * first: to the cell that the token names, or else to one after another until one knows it.
 * events: to the cells that the reports name, or else to every cell.
 * here: the router answers itself, because the server needs the answer while cells are down.
 * none: no server calls it.
 */
export type Route =
  | { readonly to: 'cell'; readonly cluster: string }
  | { readonly to: 'each' }
  | { readonly to: 'named' }
  | { readonly to: 'first'; readonly token: string; readonly known: string }
  | { readonly to: 'events'; readonly argument: string }
  | { readonly to: 'here'; readonly answer: (one: CellFunction) => string }
  | { readonly to: 'none' };

/** The first parameter that fits a rule decides. */
const RULES: readonly (readonly [name: RegExp, type: string, cluster: (argument: string) => string])[] = [
  [/^(session_hash|secret_hash|link_hash)$/, 'bytea', (argument) => `of_hash(${argument})`],
  [/^(unsubscribe_token|home|wording)$/, 'text', (argument) => `of_token(${argument})`],
  [/^request$/, 'jsonb', (argument) => `of_request(${argument})`],
  [/^(requests|rejections)$/, 'jsonb', (argument) => `of_requests(${argument})`],
];

const NULLS = ({ columns, result }: CellFunction): string =>
  `select ${(columns ?? [{ type: result }]).map(({ type }) => `null::${type}`).join(', ')}`;
const NO_ROWS = (one: CellFunction): string => `${NULLS(one)} where false`;
const always = (answer: string) => () => answer;

/** Monitoring is each cell's own: its workers have the same metrics, and `cell list` shows all cells. */
const LISTED: Readonly<Record<string, Route>> = {
  // Answered as fast, whether the address is a member's in one cell, in several or in none, and also while a cell is down.
  'console.request_sign_in_link': { to: 'each' },
  'invite.cell_state': { to: 'named' },
  // Surveys that are open to everyone have links without a token.
  'invite.survey_page': { to: 'first', token: 'invitation_token', known: 'survey_id is not null' },
  'invite.submit_response': { to: 'first', token: 'invitation_token', known: "outcome <> 'unknown_survey'" },
  // A relay may report without our id of the message.
  'invite.record_relay_events': { to: 'events', argument: 'events' },
  // What the server asks before it serves: a cell that is down must not make it unready.
  'invite.schema_version': {
    to: 'here',
    answer: always("select (f.value)::integer from invite_router.facts as f where f.name = 'schema_version'"),
  },
  'invite.time_zone_names': {
    to: 'here',
    answer: always(
      "select array(select jsonb_array_elements_text(f.value)) from invite_router.facts as f where f.name = 'time_zones'",
    ),
  },
  // Each cell has its own. The router has none.
  'invite.home': { to: 'here', answer: NULLS },
  'invite.cell_number': { to: 'here', answer: NULLS },
  // Nothing is written here, and a cell that takes no writes says so with each call.
  'invite.try_write': { to: 'here', answer: always('select') },
  // Null, so that the server says nothing about workers, queues and pauses.
  'invite.running_workers': { to: 'here', answer: NULLS },
  'invite.count_paused': { to: 'here', answer: NO_ROWS },
  'invite.queue_metrics': { to: 'here', answer: NULLS },
  'invite.count_broken_invariants': { to: 'here', answer: NO_ROWS },
  'invite.count_failing_jobs': { to: 'here', answer: NO_ROWS },
  'invite.count_events': { to: 'here', answer: NO_ROWS },
  'invite.relay_conditions': { to: 'here', answer: always("select '[]'::jsonb") },
  // `cell add` asks the cell itself.
  'invite.arrived_homes': { to: 'none' },
  // `check` asks for these, and runs beside a cell's workers.
  'invite.rules_in_use': { to: 'none' },
  'invite.count_sealed_secrets': { to: 'none' },
};

/** @throws There is no rule, so nobody has said yet which cell a call of it belongs to. */
export function routeOf({ schema, name, parameters, isDefiner }: CellFunction): Route {
  const full = `${schema}.${name}`;
  const listed = LISTED[full];
  if (listed !== undefined) return listed;
  const fits = ({ name: parameter, type }: Parameter) =>
    RULES.find(([pattern, needed]) => pattern.test(parameter) && type === needed)?.[2](parameter);
  for (const parameter of parameters) {
    const cluster = fits(parameter);
    if (cluster !== undefined) return { to: 'cell', cluster };
  }
  // What other functions call: with the web role's rights it can read no table.
  if (!isDefiner) return { to: 'none' };
  throw new Error(`${full} has no route: name a parameter as src/cells/routes.ts says, or list it there`);
}

/** So that a test finds those that no longer exist. */
export const LISTED_NAMES: readonly string[] = Object.keys(LISTED);
