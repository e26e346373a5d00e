// Shows and changes the rules about when emails leave, of a workspace or a survey.
import { constraintMessage } from '../../constraint-messages.ts';
import type { WorkspaceRules } from '../../database/store.ts';
import { ApiError } from '../../errors.ts';
import { formatClosedDays, HoursError, parseClosedDays } from '../../hours.ts';
import type { Html } from '../../html/html.ts';
import type { Answer } from '../../http/answer.ts';
import { isRestTooLong, parseDelay, UNSET } from '../../rules.ts';
import { fieldText, plural } from '../../text.ts';
import { type ConsoleContext, done, type PageHandler, type PageRequest } from '../page.ts';
import { editsIn } from '../stale.ts';
import { parseHours } from './hours-form.ts';
import { previewMain, type Rule, ruleInWords, rulesMain, ruleTexts, type SentRules, suggestedFor } from './rules-view.ts';

/** A preview looks at so many emails. */
const MAX_COUNT = 10_000;

export interface RulesContext extends ConsoleContext {
  /** RETENTION_DAYS. */
  readonly retentionDays: number | undefined;
}

type Changes = Partial<WorkspaceRules>;

/** Whose rules a page is about. */
interface Target {
  readonly workspaceId: string;
  readonly surveyId?: string;
  readonly path: string;
  /** What is stored. For a survey, its own. */
  readonly stored: WorkspaceRules;
  /** The rules of the survey's workspace. */
  readonly workspace?: WorkspaceRules;
  show(main: Html, status?: number): Answer;
  save(changes: Changes): PromiseLike<unknown>;
}

async function workspaceTarget({ store }: ConsoleContext, request: PageRequest): Promise<Target> {
  const workspace = request.workspace(request.param('workspace'));
  const stored = await store.console.workspaceRules(request.session, workspace.id);
  const frame = { title: 'When emails leave', workspace, tab: 'rules' } as const;
  return {
    workspaceId: workspace.id,
    path: `/workspaces/${workspace.id}/rules`,
    stored,
    show: (main, status) => request.page(frame, main, status),
    save: (changes) => store.console.setWorkspaceRules(request.session, workspace.id, changes),
  };
}

async function surveyTarget({ store }: ConsoleContext, request: PageRequest): Promise<Target> {
  const survey = await store.console.surveyFrame(request.session, request.param('survey'), 'editor');
  const { workspace, own } = await store.console.surveyRules(request.session, survey.surveyId);
  return {
    workspaceId: survey.workspaceId,
    surveyId: survey.surveyId,
    path: `/surveys/${survey.surveyId}/rules`,
    stored: { ...UNSET, ...own },
    workspace,
    show: (main, status) => request.page({ title: 'When emails leave', survey, tab: 'settings' }, main, status),
    save: (changes) => store.console.setSurveyRules(request.session, survey.surveyId, changes),
  };
}

/** @param values What the fields show instead of what is stored. */
async function showForm(
  { store, retentionDays }: RulesContext,
  request: PageRequest,
  target: Target,
  { values, sent }: { values?: WorkspaceRules; sent?: SentRules } = {},
): Promise<Answer> {
  const { stored, workspace } = target;
  const zones = (await store.timeZoneNames()).toSorted();
  const suggested = suggestedFor(stored, readersZone(request, zones), retentionDays);
  const suggestion = workspace === undefined && sent === undefined && hasChanges(stored, suggested) ? suggested : undefined;
  const main = rulesMain(request, { stored, values: values ?? stored, workspace, zones, suggestion }, sent);
  return target.show(main, sent === undefined ? 200 : 422);
}

/** Null: the reader's browser doesn't say, or the server doesn't know it. */
const readersZone = ({ zone }: PageRequest, zones: readonly string[]): string | null =>
  zone !== 'UTC' && zones.includes(zone) ? zone : null;

const RULES = Object.keys(UNSET) as Rule[];
const TYPES = {
  restDays: 'number',
  openHours: 'string',
  closedDays: 'string',
  timeZone: 'string',
  maxDelayHours: 'number',
} as const satisfies Readonly<Record<Rule, string>>;

const changesFrom = (stored: WorkspaceRules, wanted: Changes): Changes =>
  Object.fromEntries(
    RULES.filter((rule) => wanted[rule] !== undefined && wanted[rule] !== stored[rule]).map((rule) => [rule, wanted[rule]]),
  );
const hasChanges = (stored: WorkspaceRules, wanted: Changes): boolean => Object.keys(changesFrom(stored, wanted)).length > 0;

/** Reads the form, up to the first error. Rules that it has no fields for are left out. */
function readForm({ form }: PageRequest, zones: readonly string[], isSurvey: boolean): { wanted: Changes } | { sent: SentRules } {
  const wanted: { -readonly [R in Rule]?: WorkspaceRules[R] } = {};
  let error: SentRules['error'];
  const read = <R extends Rule>(rule: R, parse: (text: string) => WorkspaceRules[R] | undefined, wrong: string) => {
    const text = fieldText(form, rule).trim();
    try {
      const value = text === '' ? null : parse(text);
      if (value === undefined) error ??= { rule, text: wrong };
      else wanted[rule] = value as WorkspaceRules[R];
    } catch (caught) {
      if (!(caught instanceof HoursError)) throw caught;
      error ??= { rule, text: caught.message };
    }
  };
  if (!isSurvey) {
    read('restDays', (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined), 'Enter a number of days.');
    const hours = parseHours(form);
    if (error === undefined && 'errors' in hours) return { sent: { form, hours: hours.errors } };
    if ('value' in hours) wanted.openHours = hours.value;
    read('closedDays', parseClosedDays, '');
  }
  read(
    'timeZone',
    (text) => zones.find((name) => name.toLowerCase() === text.toLowerCase()),
    'Enter a time zone such as Europe/Berlin.',
  );
  read('maxDelayHours', parseDelay, 'Enter a time such as 7 days or 36 hours.');
  return error === undefined ? { wanted } : { sent: { form, error } };
}

/** What is wrong with a rule, by an error of the database, such as workspaces_rest_days_range. @throws An error that is about no rule. */
function refusalBy(error: unknown): SentRules['error'] {
  const { constraint_name: name = '' } = error as { constraint_name?: string };
  const text = constraintMessage(error);
  const rule = RULES.find((rule) => name.includes(`_${rule.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_`));
  if (rule === undefined || text === undefined) throw error;
  return { rule, text };
}

/** Reads the changes that a preview carries. The database checks their values when they are saved. */
function readChanges({ form }: PageRequest): Changes {
  try {
    const changes = JSON.parse(form.get('rules') ?? '') as Changes;
    const areKnown = Object.entries(changes).every(
      ([rule, value]) => RULES.includes(rule as Rule) && (value === null || typeof value === TYPES[rule as Rule]),
    );
    // An unreadable date is an error.
    if (areKnown && formatClosedDays(changes.closedDays ?? null) !== undefined) return changes;
  } catch {}
  throw new ApiError('invalid_field', 'These are no rules.');
}

const restRefusal = ({ retentionDays }: RulesContext, { restDays }: Changes): SentRules['error'] =>
  isRestTooLong(restDays, retentionDays)
    ? {
        rule: 'restDays',
        text: `A rest can be at most ${plural(retentionDays ?? 0, 'day')}, because addresses are erased after that.`,
      }
    : undefined;

/** Shows what the changes would do, or what is wrong with them. */
async function preview(context: RulesContext, request: PageRequest, target: Target, changes: Changes): Promise<Answer> {
  const { workspaceId, surveyId, stored, path } = target;
  const refuse = (error: SentRules['error']) =>
    showForm(context, request, target, { values: { ...stored, ...changes }, sent: { error } });
  const tooLong = restRefusal(context, changes);
  if (tooLong !== undefined) return refuse(tooLong);
  try {
    const forecast = await context.store.console.estimateRules(
      request.session,
      workspaceId,
      changes,
      surveyId,
      request.zone,
      MAX_COUNT,
    );
    const isSurvey = surveyId !== undefined;
    return target.show(previewMain(request, { stored, changes, forecast, maxCount: MAX_COUNT, isSurvey, path }));
  } catch (error) {
    return refuse(refusalBy(error));
  }
}

/** What the person wants: what a preview carries, the suggestion, or what the form has. */
async function readWanted(
  context: RulesContext,
  request: PageRequest,
  { stored, surveyId }: Target,
): Promise<ReturnType<typeof readForm>> {
  const action = request.form.get('action');
  if (action === 'edit' || action === 'save') return { wanted: readChanges(request) };
  const zones = await context.store.timeZoneNames();
  if (action === 'suggest' && surveyId === undefined)
    return { wanted: suggestedFor(stored, readersZone(request, zones), context.retentionDays) };
  if (action !== 'preview') throw new ApiError('invalid_field', 'No such action.');
  return readForm(request, zones, surveyId !== undefined);
}

async function change(context: RulesContext, request: PageRequest, target: Target): Promise<Answer> {
  const { stored, path } = target;
  const read = await readWanted(context, request, target);
  if ('sent' in read) return showForm(context, request, target, { sent: read.sent });
  const { wanted } = read;
  const { changed, errors = {} } = editsIn(request.form, ruleTexts(stored), ruleTexts(wanted), (rule) =>
    ruleInWords(rule, stored[rule], ''),
  );
  const changes: Changes = Object.fromEntries(RULES.filter((rule) => rule in changed).map((rule) => [rule, wanted[rule]]));
  const values = { ...stored, ...changes };
  // Of others that were changed too, the preview shows what they are now.
  const rule = RULES.find((rule) => rule in errors);
  if (rule !== undefined) {
    const text = `${rule === 'openHours' ? 'Hours: ' : ''}${errors[rule]}`;
    return showForm(context, request, target, { values, sent: { error: { rule, text } } });
  }
  if (request.form.get('action') === 'edit') return showForm(context, request, target, { values });
  if (request.form.get('action') !== 'save')
    return Object.keys(changes).length === 0 ? done(path, 'rules_unchanged') : preview(context, request, target, changes);
  const tooLong = restRefusal(context, changes);
  if (tooLong !== undefined) throw new ApiError('invalid_field', tooLong.text);
  await target.save(changes);
  return done(path, 'settings_saved');
}

export const showWorkspaceRules =
  (context: RulesContext): PageHandler =>
  async (request) =>
    showForm(context, request, await workspaceTarget(context, request));

export const changeWorkspaceRules =
  (context: RulesContext): PageHandler =>
  async (request) =>
    change(context, request, await workspaceTarget(context, request));

export const showSurveyRules =
  (context: RulesContext): PageHandler =>
  async (request) =>
    showForm(context, request, await surveyTarget(context, request));

export const changeSurveyRules =
  (context: RulesContext): PageHandler =>
  async (request) =>
    change(context, request, await surveyTarget(context, request));
