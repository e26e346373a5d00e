// A workspace's own words: reads the forms and files, and shows what they change.
import { constraintMessage, wordingErrors } from '../../constraint-messages.ts';
import type { OwnWording } from '../../database/store.ts';
import type { Answer } from '../../http/answer.ts';
import { type ConsoleContext, done, notFound, type PageHandler, type PageRequest } from '../page.ts';
import { csvFileName } from '../results/csv-view.ts';
import type { Digests } from '../saw.ts';
import { editsIn, onTopOfOthers } from '../translations/edits.ts';
import { importMain, type TextChange } from '../translations/import-view.ts';
import { fileNameOf, shownDigest } from '../translations/originals.ts';
import { textsCsv } from '../translations/text-csv.ts';
import { enteredTag, NO_TAG } from '../translations/text-pairs.ts';
import { textsIn } from '../translations/translation-file.ts';
import { languageName } from '../words.ts';
import {
  fieldOf,
  inOrder,
  isOutdated,
  labelOf,
  languagesMain,
  originalOf,
  valuesOf,
  WAS_INFORMAL,
  wordingMain,
} from './wording-view.ts';

const pathOf = (id: string) => `/workspaces/${id}/wording`;

interface Refused {
  readonly values?: Readonly<Record<string, string>>;
  readonly saw?: Digests;
  readonly errors?: Readonly<Record<string, string>>;
  readonly theirs?: Readonly<Record<string, string>>;
  readonly error?: string;
  readonly fileError?: string;
  readonly informal?: boolean;
}

const placeOf = (request: PageRequest) => {
  const workspace = request.workspace(request.param('workspace'));
  return { workspace, path: pathOf(workspace.id) };
};

async function showLanguage(
  { store }: ConsoleContext,
  request: PageRequest,
  language: string,
  refused?: Refused,
): Promise<Answer> {
  const { workspace, path } = placeOf(request);
  const wording = await store.console.wording(request.session, workspace.id, language);
  const parts = { title: `Wording in ${languageName(language)}`, workspace, tab: 'wording' } as const;
  return request.page(parts, wordingMain(request, { language, wording, path, ...refused }), refused === undefined ? 200 : 422);
}

export const showWording =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const { workspace } = placeOf(request);
    const wanted = request.query.get('language');
    const language = enteredTag(wanted ?? undefined);
    if (language !== undefined) return showLanguage(context, request, language);
    const languages = await context.store.console.wordingLanguages(request.session, workspace.id);
    const main = languagesMain(languages, wanted === null ? undefined : NO_TAG, wanted ?? undefined);
    return request.page({ title: 'Wording', workspace, tab: 'wording' }, main, wanted === null ? 200 : 422);
  };

async function save(context: ConsoleContext, request: PageRequest, language: string): Promise<Answer | undefined> {
  const { workspace, path } = placeOf(request);
  const { form, session } = request;
  const { lines } = await context.store.console.wording(session, workspace.id, language);
  const originals = lines.map(originalOf);
  const now = valuesOf(lines);
  const { changed, theirs, checked, saw } = editsIn(form, originals, now);
  // A form that was opened before others chose the other form of address leaves theirs.
  const informal = form.get('informal') === form.get(WAS_INFORMAL) ? null : form.get('informal') === 'yes';
  const values = { ...now, ...changed };
  const refused = { values, saw, ...(informal !== null && { informal }) };
  if (Object.keys(theirs).length > 0) return showLanguage(context, request, language, { ...refused, theirs });
  const changedNames = originals.filter(({ name }) => name in changed).map(fileNameOf);
  // An outdated text that a person says still fits is given again, so that it counts as checked.
  const words = Object.fromEntries([...changedNames, ...checked].map((name) => [name, values[fieldOf(name)] ?? '']));
  const before = Object.fromEntries(lines.flatMap(({ name, ownText }) => (ownText === null ? [] : [[name, ownText]])));
  try {
    if (!(await context.store.console.setWording(session, workspace.id, language, words, informal, before))) return undefined;
  } catch (error) {
    const message = constraintMessage(error);
    if (message === undefined) throw error;
    const errors = wordingErrors(error);
    return showLanguage(context, request, language, { ...refused, ...(errors === undefined ? { error: message } : { errors }) });
  }
  return done(`${path}?language=${language}`, 'wording_saved');
}

/** Shows what a file changes. What is wrong with its texts, the database says when it is asked to take them. */
async function preview(context: ConsoleContext, request: PageRequest, language: string, wording: OwnWording): Promise<Answer> {
  const { workspace, path } = placeOf(request);
  const file = await textsIn(request);
  if (typeof file === 'string') return showLanguage(context, request, language, { fileError: file });
  const { texts } = file;
  const lines = new Map(wording.lines.map((line) => [line.name, line]));
  const changed = inOrder(wording.lines).flatMap(({ name, ownText, serviceText }) => {
    const after = texts.get(name);
    if (after === undefined || after === ownText) return [];
    const before = ownText ?? '';
    return [{ name, label: labelOf(name), before, after, saw: shownDigest(serviceText, before) }];
  });
  const errors = await context.store.console.wordingErrors(
    request.session,
    workspace.id,
    Object.fromEntries(changed.map(({ name, after }) => [name, after])),
  );
  const changes: TextChange[] = changed.map((change) => ({
    ...change,
    name: fieldOf(change.name),
    error: wordingErrors(errors)?.[change.name],
  }));
  const unknown = [...texts.keys()].filter((name) => !lines.has(name));
  const main = importMain(request, { language, changes, unknown, back: `${path}?language=${language}` });
  const parts = { title: `Import into ${languageName(language)}`, workspace, tab: 'wording' } as const;
  return request.page(parts, main, changes.some(({ error }) => error !== undefined) ? 422 : 200);
}

export const changeWording =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const { workspace } = placeOf(request);
    const language = enteredTag(request.form.get('language') ?? undefined);
    if (language === undefined) throw notFound();
    if (request.form.get('action') !== 'import') return onTopOfOthers(() => save(context, request, language));
    const wording = await context.store.console.wording(request.session, workspace.id, language);
    return preview(context, request, language, wording);
  };

export const downloadWording =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const { workspace } = placeOf(request);
    const language = enteredTag(request.query.get('language') ?? undefined);
    if (language === undefined) throw notFound();
    const { lines } = await store.console.wording(request.session, workspace.id, language);
    const file = csvFileName(workspace.name, workspace.id, request.realNow, `wording-${language}`);
    const body = textsCsv(
      inOrder(lines).map((line) => ({
        name: line.name,
        original: line.serviceText,
        text: line.ownText ?? '',
        before: isOutdated(line) ? (line.originalText ?? '') : undefined,
      })),
    );
    return { status: 200, type: 'text/csv', body, headers: { 'content-disposition': `attachment; filename="${file}"` } };
  };
