// The page of sending limits (caps): how many emails may leave in an hour and in a day.
import { constraintMessage } from '../../constraint-messages.ts';
import type { CapScope } from '../../database/store.ts';
import { fieldText } from '../../text.ts';
import { type ConsoleContext, done, type PageHandler, type PageRequest } from '../page.ts';
import { editsIn } from '../stale.ts';
import { emailsOf, type LimitForm, limitsMain, limitTexts, SCOPES, SHOWN } from './caps-view.ts';

const TITLE = 'Sending limits';
const isScope = (text: string): text is CapScope => Object.hasOwn(SCOPES, text);

export const showLimits =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const workspace = request.workspace(request.param('workspace'));
    const caps = await store.console.caps(request.session, workspace.id);
    const [scope, domain] = [request.query.get('scope') ?? '', request.query.get('domain') ?? ''];
    const emails = { scope: isScope(scope) ? scope : 'workspace', domain } as const;
    const form: LimitForm = { ...emails, ...(isScope(scope) ? limitTexts(caps, emails) : { perHour: '', perDay: '' }) };
    return request.page({ title: TITLE, workspace, tab: 'sending' }, limitsMain(request, workspace, caps, form));
  };

export const changeLimit =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const workspace = request.workspace(request.param('workspace'));
    const { session } = request;
    // Check the role first, so that people who may not change this learn nothing about the form.
    const caps = await store.console.caps(session, workspace.id);
    const typed = readForm(request);
    // What the form showed of other emails says nothing about these.
    const shown = request.form.get(SHOWN) === emailsOf(typed) ? request.form : new URLSearchParams();
    const { texts, errors } = editsIn(shown, limitTexts(caps, typed), { perHour: typed.perHour, perDay: typed.perDay });
    const form = { ...typed, ...texts };
    const refuse = (errors: NonNullable<LimitForm['errors']>) =>
      request.page({ title: TITLE, workspace, tab: 'sending' }, limitsMain(request, workspace, caps, { ...form, errors }), 422);
    if (errors !== undefined) return refuse(errors);
    const [perHour, perDay] = [readNumber(form.perHour), readNumber(form.perDay)];
    const wrong = 'Enter a whole number from 1 to 10,000,000, or nothing for no limit.';
    if (perHour === undefined || perDay === undefined)
      return refuse({ ...(perHour === undefined && { perHour: wrong }), ...(perDay === undefined && { perDay: wrong }) });
    try {
      const domain = form.scope === 'workspace' ? '' : form.domain;
      const changed = await store.console.setCap(session, workspace.id, form.scope, domain, { perHour, perDay });
      return done(`/workspaces/${workspace.id}/limits`, changed ? 'limit_changed' : 'limit_unchanged');
    } catch (error) {
      const message = constraintMessage(error);
      if (message === undefined) throw error;
      return refuse({ domain: message });
    }
  };

function readForm({ form }: PageRequest): LimitForm {
  const text = (name: string) => fieldText(form, name).trim();
  const scope = text('scope');
  return {
    scope: isScope(scope) ? scope : 'workspace',
    domain: text('domain'),
    perHour: text('per_hour'),
    perDay: text('per_day'),
  };
}

/** Null: it is empty. Undefined: it is no number of emails. */
function readNumber(text: string): number | null | undefined {
  if (text === '') return null;
  const number = Number(text.replaceAll(/[,\s]/g, ''));
  return Number.isInteger(number) && number >= 1 && number <= 10_000_000 ? number : undefined;
}
