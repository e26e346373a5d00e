// Wraps the handlers of the console's pages: checks the session and the form's CSRF token, and turns database errors into pages.

import type { Request } from 'polka';
import { constraintMessage, forbiddenMessage } from '../constraint-messages.ts';
import { errorCode, FORBIDDEN, NOT_FOUND, STATEMENT_CANCELLED } from '../database/pool.ts';
import type { ConsoleStore, OwnWorkspace, Store, Visitor } from '../database/store.ts';
import { askAs, type Turns } from '../database/turns.ts';
import { ApiError, ClientGoneError } from '../errors.ts';
import { type Html, html } from '../html/html.ts';
import { type Answer, type Handler, page, redirect } from '../http/answer.ts';
import { FramedError } from '../http/error-answer.ts';
import { readStorableForm } from '../http/form.ts';
import { CONSOLE_HEADERS } from '../http/headers.ts';
import { isId, readRowId, readUuid } from '../http/ids.ts';
import { dropRest, isMultipart, readMultipart, type UploadedFile } from '../http/multipart.ts';
import { note } from '../http/notes.ts';
import type { AddressLimit, RateLimit } from '../http/rate-limit.ts';
import type { Speeches } from '../languages/speeches.ts';
import { hashSecret } from '../secret.ts';
import { type FlashCode, isFlashCode } from './flashes.ts';
import { type FrameParts, framePage, type PageContext } from './frame.ts';
import type { Admit, Serialize } from './serializer.ts';
import { csrfToken, isCsrfToken, isSameOrigin, readSessionKey } from './session.ts';
import { continueMain, signInAgainMain } from './sign-in/again-view.ts';
import { readZone } from './zone.ts';

/** What all pages need. Pages that need more extend this. */
export interface ConsoleContext {
  /** Uses its own connection pool, so that slow Results can't delay a trigger request. Workspaces take turns with its connections. */
  readonly store: Store;
  /** Uses a separate connection. */
  readonly downloads: Pick<ConsoleStore, 'resultKeys' | 'listResults' | 'listAuditEntries'>;
  /** The exports that are being sent. */
  readonly exports: Turns;
  /** Uses a separate connection, so that it never waits for a page. Sessions take turns. */
  readonly authenticate: ConsoleStore['authenticate'];
  /** How the workspaces speak to their recipients. */
  readonly speeches: Pick<Speeches, 'of'>;
  publicUrl(): string;
  /** Whether publicUrl is https. Cookies are then Secure. */
  readonly https: boolean;
  readonly serialize: Serialize;
  readonly admit: Admit;
  readonly pageLimit: AddressLimit;
  /** Limits the forms of a workspace: each can store something, which takes the disk that all share. */
  readonly formLimit: RateLimit;
}

/** Bytes. */
const MAX_FORM = 256 * 1024;
/** Bytes of a form with a file. */
const WITH_FILE = { field: 2 * 1024 * 1024, file: 16 * 1024 * 1024 };

const TOO_MANY_FORMS =
  'The members of your workspace have submitted too many forms within a minute. Go back, wait a moment, and try again.';
const OLD_FORM = 'This form is from another session. Go back, reload the page, and try again.';

export interface PageRequest extends PageContext {
  readonly method: string;
  param(name: string): string;
  readonly query: URLSearchParams;
  /** The reader's time zone. */
  readonly zone: string;
  /** The hash of the session's secret. */
  readonly session: Buffer;
  readonly form: URLSearchParams;
  /** The file of a multipart form. It arrives while it is read. */
  readonly file: UploadedFile | undefined;
  isGone(): boolean;
  /** @throws {ApiError} not_found. */
  workspace(id: string): OwnWorkspace;
  /** @param status 422 or 413: the page shows why its form was refused, and its title says so. */
  page(parts: FrameParts, main: Html, status?: number): Answer;
}

export type PageHandler = (request: PageRequest) => Answer | Promise<Answer>;

/** Redirects to a page that says what the form did. */
export const done = (path: string, code: FlashCode): Answer => redirect(`${path}${path.includes('?') ? '&' : '?'}done=${code}`);

export const readConsoleForm = (request: Request): Promise<URLSearchParams> => readStorableForm(request, MAX_FORM);

interface Session {
  readonly key: string;
  readonly hash: Buffer;
  readonly me: Visitor;
}

/** Undefined: there is no session, or it has ended. */
export async function authenticate(
  { authenticate, https, pageLimit }: ConsoleContext,
  request: Request,
): Promise<Session | undefined> {
  const key = readSessionKey(request, https);
  if (key === undefined) return undefined;
  const hash = hashSecret(key);
  pageLimit.take(request);
  const { survey } = request.params;
  const asker = { group: hash.toString('base64'), isGone: isGoneOf(request) };
  const me = await askAs(asker, () => authenticate(hash, survey !== undefined && isId(survey) ? survey : undefined));
  if (me === null) return undefined;
  pageLimit.giveBack(request);
  noteVisit(request, me);
  return { key, hash, me };
}

/** Only what the person may see, because anything may stand in an address. */
function noteVisit(request: Request, { sessionId, workspaceId, workspaces }: Visitor): void {
  const { workspace = workspaceId, survey, batch, invitation } = request.params;
  note(request, { session: sessionId });
  if (!workspaces.some(({ id }) => id === workspace)) return;
  note(request, {
    ...{ workspace, survey: workspaceId === null ? undefined : survey },
    ...{ batch: batch && readUuid(batch), invitation: invitation && readRowId(invitation) },
  });
}

/** Whether a request may store something. Forms do, except a search, which is sent as one so that no proxy logs it. */
const stores = ({ method }: Request, route: string): boolean => method === 'POST' && !/\/search(\/|$)/.test(route);

/** Whether nobody waits for the page any more. What is submitted is carried out even if its client has disconnected. */
const isGoneOf =
  (request: Request, route = '') =>
  () =>
    !stores(request, route) && request.socket.destroyed;

/** The workspace in whose turns a page is computed: a test workspace takes those of its real one. */
function shareOf({ email, workspaceId, workspaces }: Visitor, { params }: Request): string {
  const shown = workspaces.find(({ id }) => id === (workspaceId ?? params.workspace));
  return shown?.test?.of ?? shown?.id ?? email;
}

/** Clients limit the size of headers, and a longer address wouldn't fit into one. */
const MAX_RETURN_ADDRESS = 2000;

const signInAndReturn = (address: string) =>
  address.length > MAX_RETURN_ADDRESS ? '/sign-in' : `/sign-in?next=${encodeURIComponent(address)}`;

/**
 * People who aren't signed in return to this page after they sign in.
 * @param route The pattern of the page's address, for the audit log.
 */
export function consolePage(context: ConsoleContext, handler: PageHandler, route = '/'): Handler {
  const answer = answerOf(context, handler, route);
  return async (request) => {
    try {
      const key = readSessionKey(request, context.https);
      return await (key === undefined ? answer(request) : context.admit(key, () => answer(request)));
    } finally {
      // Of a file that nobody has read to its end.
      if (isMultipart(request)) dropRest(request);
    }
  };
}

const answerOf =
  (context: ConsoleContext, handler: PageHandler, route: string): Handler =>
  async (request) => {
    const isPost = request.method === 'POST';
    const session = await authenticate(context, request);
    if (session === undefined) return redirect(isPost ? '/sign-in' : signInAndReturn(request.originalUrl));
    const { fields: form, file } = isPost ? await readAnyForm(request) : NO_FORM;
    const pageRequest = createPageRequest(request, session, form, file);
    // A form is sent to the address of its page.
    const kept = () => ({ path: request.path, fields: [...form].filter(([name]) => name !== 'csrf') });
    const trusted = isSameOrigin(request, context.publicUrl()) && isCsrfToken(form.get('csrf'), session.key);
    if (isPost && !trusted) {
      // If the browser says that one of our pages sent the form, the person has signed in again since. Otherwise nobody knows who sent it.
      if (request.headers['sec-fetch-site'] !== 'same-origin') throw framed(pageRequest, new ApiError('forbidden', OLD_FORM));
      return pageRequest.page({ title: "You're signed in again" }, continueMain(pageRequest, kept()), 403);
    }
    if (!Object.values(request.params).every(isId)) throw framed(pageRequest, notFound());
    const { me } = session;
    const asker = { group: shareOf(me, request), isGone: isGoneOf(request, route) };
    const retryAfterSeconds = stores(request, route) ? context.formLimit.take(asker.group) : undefined;
    if (retryAfterSeconds !== undefined)
      throw framed(pageRequest, new ApiError('flood_protection', TOO_MANY_FORMS, { retryAfterSeconds }), TOO_MANY_FORMS);
    try {
      const run = () => {
        if (asker.isGone()) throw new ClientGoneError();
        return askAs(asker, () => handler(pageRequest));
      };
      // A file may take minutes to arrive. The person's other pages don't wait for it.
      return await (file === undefined ? context.serialize(me.email, run) : run());
    } catch (error) {
      if (error instanceof ClientGoneError) throw error;
      if (isPost && (error as { constraint_name?: string }).constraint_name === 'sessions_recent_sign_in')
        return pageRequest.page({ title: "Confirm that it's you" }, signInAgainMain(pageRequest, kept()), 403);
      if (errorCode(error) === STATEMENT_CANCELLED) throw framed(pageRequest, tooSlow(), TOO_SLOW);
      const shown = toApiError(error);
      if (shown instanceof ApiError && shown.code === 'forbidden') await recordRefusal(context, pageRequest, route);
      throw framed(pageRequest, shown);
    }
  };

const NO_FORM = { fields: new URLSearchParams(), file: undefined };

/** A form in any of the encodings of HTML that our forms have. */
const readAnyForm = async (request: Request) =>
  isMultipart(request) ? readMultipart(request, WITH_FILE) : { ...NO_FORM, fields: await readConsoleForm(request) };

/** Nothing is recorded of people who aren't members: for them there is no such page. */
async function recordRefusal({ store }: ConsoleContext, { me, param, session }: PageRequest, route: string): Promise<void> {
  const workspace = me.workspaceId ?? me.workspaces.find(({ id }) => id === param('workspace'))?.id;
  if (workspace !== undefined) await store.console.recordRefusal(session, workspace, route, param('survey') || undefined);
}

/** A 404 page. People who are signed in see it in the frame. */
export const notFoundPage =
  (context: ConsoleContext): Handler =>
  async (request) => {
    const session = await authenticate(context, request);
    if (session === undefined) throw notFound();
    throw framed(createPageRequest(request, session), notFound());
  };

const TOO_SLOW = 'This page took too long to compute. Choose a shorter period or fewer filters, or try again later.';
const tooSlow = () => new ApiError('not_ready', 'a page took longer than its time, and was given up', { retryAfterSeconds: 30 });

/** @param sentence Replaces the sentence for the error's status. */
const framed = (page: PageContext, error: unknown, sentence?: string): FramedError =>
  new FramedError(error, {
    ...(sentence !== undefined && { sentence }),
    layout: (title, main) => framePage({ ...page, flash: undefined }, { title }, main),
    more: html`<p><a class="button quiet" href="/">Go to your surveys</a></p>`,
  });

function createPageRequest(
  request: Request,
  { key, hash, me }: Session,
  form = NO_FORM.fields,
  file?: UploadedFile | undefined,
): PageRequest {
  const query = new URLSearchParams(request.search ?? '');
  const code = query.get('done') ?? '';
  // If this is a POST, the address may still name what the previous form did.
  const flash = request.method !== 'POST' && isFlashCode(code) ? code : undefined;
  const realNow = new Date();
  const shown = me.workspaceId ?? request.params.workspace;
  const test = me.workspaces.find(({ id }) => id === shown)?.test ?? null;
  const now = test === null ? realNow : new Date(test.now);
  const context: PageContext = { me, csrf: csrfToken(key), now, realNow, isTest: test !== null, flash };
  return {
    ...context,
    method: request.method,
    query,
    zone: readZone(request),
    session: hash,
    form,
    file,
    param: (name) => request.params[name] ?? '',
    isGone: () => request.socket.destroyed,
    workspace(id) {
      const found = me.workspaces.find((workspace) => workspace.id === id);
      if (found === undefined) throw notFound();
      return found;
    },
    page: (parts, main, status = 200) =>
      page(status, framePage(context, parts, main, status === 422 || status === 413), CONSOLE_HEADERS),
  };
}

export const notFound = () => new ApiError('not_found', 'There is nothing at this address.');

/** Turns database errors into errors of the HTTP API. Pages show errors about single fields themselves. */
function toApiError(error: unknown): unknown {
  const code = errorCode(error);
  if (code === NOT_FOUND) return notFound();
  if (code === FORBIDDEN) return new ApiError('forbidden', forbiddenMessage(error));
  if (code === '23514' || code?.startsWith('22'))
    return new ApiError('invalid_field', constraintMessage(error) ?? 'A value is not allowed.');
  return error;
}
