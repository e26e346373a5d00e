// The tab Invitations.
import { type InvitationFilter, MAX_COUNT, OUTCOMES, type RemindResult, STATUSES } from '../../database/store.ts';
import { ApiError } from '../../errors.ts';
import { redirect } from '../../http/answer.ts';
import { readRowId, readUuid } from '../../http/ids.ts';
import { rulesOfSurvey } from '../../rules.ts';
import { type ConsoleContext, done, type PageHandler, type PageRequest } from '../page.ts';
import { readSearch } from '../recipients/recipients.ts';
import { isAction, readAction } from './batches.ts';
import { type Confirmation, invitationsMain } from './invitations-view.ts';

const ROWS = 50;
const STATES = { active: 'survey_activated', closed: 'survey_closed', draft: 'survey_drafted' } as const;
type State = keyof typeof STATES;

/** Reads the filters. Values that make no sense are ignored. */
function readFilter(request: PageRequest): InvitationFilter {
  const { query } = request;
  const outcome = OUTCOMES.find((known) => known === query.get('outcome'));
  const delayed = outcome === undefined && query.get('delayed') === 'yes' ? 'yes' : undefined;
  return {
    // An invitation with an outcome was sent, and one that is delayed is queued, so the status adds nothing.
    status: (outcome ?? delayed) === undefined ? STATUSES.find((status) => status === query.get('status')) : undefined,
    outcome,
    delayed,
    search: readSearch(request),
    batch: readUuid(query.get('batch')),
    before: readRowId(query.get('before')),
  };
}

const isState = (text: string): text is State => Object.hasOwn(STATES, text);

/** The confirmation that the address asks for: about the survey, or about the batch that is shown. */
function readConfirmation({ query }: PageRequest, { batch }: InvitationFilter): Confirmation | undefined {
  const asked = query.get('confirm') ?? '';
  if (batch === undefined) return isState(asked) || asked === 'remind' ? asked : undefined;
  return isAction(asked) ? asked : undefined;
}

export const showInvitations =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const { session } = request;
    const survey = await store.console.surveyFrame(session, request.param('survey'), 'editor');
    const id = survey.surveyId;
    const filter = readFilter(request);
    const confirm = readConfirmation(request, filter);
    const [ends, counts, lines, rules, batch, forecast, remindable, settings] = await Promise.all([
      store.console.surveyEnds(session, id),
      store.console.surveyCounts(session, id),
      store.console.listInvitations(session, id, filter, ROWS),
      store.console.surveyRules(session, id),
      filter.batch === undefined ? undefined : store.console.findBatch(session, id, filter.batch),
      confirm !== undefined && isState(confirm) ? store.console.surveyForecast(session, id, request.zone, MAX_COUNT) : undefined,
      confirm === 'remind' ? store.console.countRemindable(session, id, { batch: filter.batch }) : undefined,
      confirm === 'active' ? store.console.surveySettings(session, id) : undefined,
    ]);
    const main = invitationsMain(request, {
      survey,
      ends,
      counts,
      filter,
      lines,
      rules: rulesOfSurvey(rules),
      batch,
      confirm,
      forecast,
      remindable,
      settings,
      pageSize: ROWS,
    });
    const place =
      batch === undefined
        ? ({ title: 'Invitations', tab: 'invitations' } as const)
        : ({ title: `Batch …${batch.id.slice(-6)}`, tab: 'batches' } as const);
    return request.page({ ...place, survey }, main);
  };

/** Changes the survey's state, or reminds everyone of it whom a reminder may reach. */
export const changeSurveyInvitations =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const { session, form, param } = request;
    const survey = param('survey');
    const state = form.get('state') ?? '';
    // Check the role first, so that people who may not change the state learn nothing about the form.
    await store.console.surveyFrame(session, survey, 'editor');
    if (form.has('action') && readAction(request) === 'remind') return remindSurvey(store, session, survey);
    if (!isState(state)) throw new ApiError('invalid_field', 'No such state.');
    try {
      await store.console.setSurveyState(session, survey, state);
    } catch (error) {
      // The question says why instead.
      if (/^surveys_closed_by_/.test((error as { constraint_name?: string }).constraint_name ?? ''))
        return redirect(`/surveys/${survey}/invitations?confirm=active`);
      throw error;
    }
    return done(`/surveys/${survey}/invitations`, STATES[state]);
  };

async function remindSurvey(store: ConsoleContext['store'], session: Buffer, survey: string) {
  let reminded = 0;
  for (let afterId: string | null = '0'; afterId !== null; ) {
    const step: RemindResult = await store.console.remindSurvey(session, survey, afterId);
    afterId = step.nextId;
    reminded += step.reminded;
  }
  return done(`/surveys/${survey}/invitations`, reminded > 0 ? 'survey_reminded' : 'nothing_reminded');
}
