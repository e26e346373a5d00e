// The clock of a test workspace. A worker moves it; meanwhile the page says so, and is loaded again.
import { constraintMessage } from '../../constraint-messages.ts';
import type { AdvanceBy } from '../../database/store.ts';
import { ApiError } from '../../errors.ts';
import { type ConsoleContext, done, type PageHandler, type PageRequest } from '../page.ts';
import { MAX_DAYS, testClockMain, type WrongAdvance } from './test-clock-view.ts';

/** Seconds. */
const STEPS: Readonly<Record<string, number>> = { hour: 3600, day: 86_400, week: 604_800 };

async function show({ store }: ConsoleContext, request: PageRequest, wrong?: WrongAdvance) {
  const workspace = request.workspace(request.param('workspace'));
  const clock = await store.console.testClock(request.session, workspace.id);
  const main = testClockMain({ ...request, now: clock.now }, workspace, clock, wrong);
  // It may have moved since the session was checked.
  const test = workspace.test && { ...workspace.test, now: clock.now.toISOString() };
  return request.page(
    { title: 'Test clock', workspace: { ...workspace, test }, tab: 'clock' },
    main,
    wrong === undefined ? 200 : 422,
  );
}

export const showTestClock =
  (context: ConsoleContext): PageHandler =>
  (request) =>
    show(context, request);

/** A time of `datetime-local`, read as UTC. Undefined: it is none, or doesn't exist. */
function readTime(text: string): Date | undefined {
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) ? new Date(`${text}Z`) : undefined;
  return at !== undefined && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? at : undefined;
}

/** @throws {ApiError} It isn't what the page's forms send. */
function readAdvance({ form }: PageRequest): AdvanceBy | WrongAdvance {
  const by = form.get('by') ?? '';
  const value = (form.get(by) ?? '').trim();
  if (by === 'next') return {};
  if (by === 'days') {
    const days = /^\d{1,3}$/.test(value) ? Number(value) : 0;
    if (days < 1 || days > MAX_DAYS) return { field: by, value, text: `Enter a number of days from 1 to ${MAX_DAYS}.` };
    return { seconds: days * 86_400 };
  }
  if (by === 'until') {
    const until = readTime(value);
    return until === undefined ? { field: by, value, text: 'Enter a date and a time.' } : { until };
  }
  const seconds = Object.hasOwn(STEPS, by) ? STEPS[by] : undefined;
  if (seconds === undefined) throw new ApiError('invalid_field', 'No such action.');
  return { seconds };
}

export const moveTestClock =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const { id } = request.workspace(request.param('workspace'));
    // Check the role first, so that people who may not move it learn nothing about the form.
    await context.store.console.testClock(request.session, id);
    const advance = readAdvance(request);
    if ('field' in advance) return show(context, request, advance);
    const seen = new Date(request.form.get('now') ?? '');
    if (Number.isNaN(seen.getTime())) throw new ApiError('invalid_field', 'Reload the page.');
    try {
      const isMoving = await context.store.console.advanceTestClock(request.session, id, seen, advance);
      return done(`/workspaces/${id}/clock`, isMoving ? 'test_clock_requested' : 'test_clock_moved');
    } catch (error) {
      const text = constraintMessage(error);
      if (text === undefined) throw error;
      return show(context, request, { field: 'until', value: request.form.get('until') ?? '', text });
    }
  };
