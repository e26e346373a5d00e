// Changes the sender of emails, for a workspace or a token.
import { constraintMessage } from '../../constraint-messages.ts';
import type { Logo, Sender } from '../../database/store.ts';
import { html } from '../../html/html.ts';
import { checkSenderDomain, mayUseAddress, type SenderOptions, sendingDomains } from '../../mail/sender.ts';
import { fieldText } from '../../text.ts';
import { LogoError, readLogo } from '../../uploads/logo.ts';
import type { EmailPreviewContext } from '../api-trigger/email-preview.ts';
import { findToken } from '../api-trigger/token.ts';
import { tokenPath } from '../api-trigger/tokens-view.ts';
import { done, type PageHandler, type PageRequest } from '../page.ts';
import { editsIn } from '../stale.ts';
import { SENDER_FIELDS, type SenderField, type SentSender, senderMain, senderTexts } from './sender-view.ts';

/** What the form has, with LF line ends, because browsers send CR LF. A picker always has a color: it counts if it was used. */
const readSender = ({ form }: PageRequest): Partial<Record<SenderField, string>> => {
  const picked = form.get('accent_picked');
  return {
    ...Object.fromEntries(SENDER_FIELDS.filter((name) => form.has(name)).map((name) => [name, fieldText(form, name).trim()])),
    ...(picked !== null && picked !== form.get('accent_was') && { accent_color: picked }),
  };
};

type Change = (sender: Sender) => PromiseLike<unknown>;

/** Saves the form's settings, or an uploaded logo. Returns the field's error. Undefined: it is saved. */
const save = (
  { store, mail }: EmailPreviewContext,
  request: PageRequest,
  workspaceId: string,
  stored: Sender | null,
  change: Change,
): Promise<SentSender | undefined> =>
  request.file !== undefined || request.form.get('action') === 'upload'
    ? saveLogo(request, async (logo) => change({ logo_url: await store.console.addLogo(request.session, workspaceId, logo) }))
    : saveSettings(request, stored, mail, change);

async function saveLogo({ file }: PageRequest, add: (logo: Logo) => Promise<unknown>): Promise<SentSender | undefined> {
  const refused = (text: string, status: SentSender['status']): SentSender => {
    return { sender: {}, errors: { logo: text }, status };
  };
  if (file === undefined) return refused('Choose a picture.', 422);
  try {
    await add(await readLogo(file.bytes));
    return undefined;
  } catch (error) {
    if (error instanceof LogoError) return refused(error.message, error.code === 'too_large' ? 413 : 422);
    throw error;
  }
}

/** @throws Errors that aren't about a field. */
async function saveSettings(
  request: PageRequest,
  stored: Sender | null,
  mail: SenderOptions,
  change: Change,
): Promise<SentSender | undefined> {
  const { changed: sender, errors } = editsIn(request.form, senderTexts(stored), readSender(request));
  if (errors !== undefined) return { sender, errors, status: 422 };
  try {
    checkSenderDomain(sender, mail);
    await change(sender);
    return undefined;
  } catch (error) {
    const [, name = ''] = /^sender_(\w+)$/.exec((error as { constraint_name?: string }).constraint_name ?? '') ?? [];
    const field = name === 'domain' ? 'email' : SENDER_FIELDS.find((known) => known === name);
    const text = constraintMessage(error);
    if (field === undefined || text === undefined) throw error;
    return { sender, errors: { [field]: text }, status: 422 };
  }
}

const shared = (sender: Sender | null, mail: SenderOptions) => ({
  sender,
  domains: sendingDomains(mail),
  refused: sender?.email !== undefined && !mayUseAddress(sender.email, mail) ? sender.email : undefined,
});

async function showOfWorkspace({ store, mail }: EmailPreviewContext, request: PageRequest, sent?: SentSender) {
  const workspace = request.workspace(request.param('workspace'));
  const sender = await store.console.workspaceSender(request.session, workspace.id);
  const main = senderMain(request, { ...shared(sender, mail), from: mail.from.name }, sent);
  return request.page({ title: 'Sender', workspace, tab: 'sender' }, main, sent?.status);
}

export const showWorkspaceSender =
  (context: EmailPreviewContext): PageHandler =>
  (request) =>
    showOfWorkspace(context, request);

export const changeWorkspaceSender =
  (context: EmailPreviewContext): PageHandler =>
  async (request) => {
    const { id } = request.workspace(request.param('workspace'));
    const { session } = request;
    const calls = context.store.console;
    const stored = await calls.workspaceSender(session, id);
    const sent = await save(context, request, id, stored, (sender) => calls.setWorkspaceSender(session, id, sender));
    return sent === undefined ? done(`/workspaces/${id}/sender`, 'settings_saved') : showOfWorkspace(context, request, sent);
  };

async function showOfToken(context: EmailPreviewContext, request: PageRequest, sent?: SentSender) {
  const { survey, token } = await findToken(context, request);
  const path = tokenPath(survey.surveyId, token.id);
  const back = html`<a class="button quiet" href="${path}">Back to the email</a>`;
  const main = senderMain(request, { ...shared(token.sender, context.mail), back }, sent);
  const parts = { title: `Sender of ${token.name}`, survey, tab: 'api-trigger', above: [path, token.name] } as const;
  return request.page(parts, main, sent?.status);
}

export const showTokenSender =
  (context: EmailPreviewContext): PageHandler =>
  (request) =>
    showOfToken(context, request);

export const changeTokenSender =
  (context: EmailPreviewContext): PageHandler =>
  async (request) => {
    const { survey, token } = await findToken(context, request);
    const sent = await save(context, request, survey.workspaceId, token.sender, (sender) =>
      context.store.console.updateTriggerToken(request.session, survey.surveyId, token.id, { sender }),
    );
    return sent === undefined
      ? done(`${tokenPath(survey.surveyId, token.id)}/sender`, 'settings_saved')
      : showOfToken(context, request, sent);
  };
