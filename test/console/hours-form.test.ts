// Opening hours in a form: what the grid shows is what is read again, and what is refused.
import { deepEqual } from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { closedDaysField } from '../../src/console/rules/closed-days-field.ts';
import { type DayError, parseHours } from '../../src/console/rules/hours-form.ts';
import { type HoursGrid, hoursGrid } from '../../src/console/rules/hours-grid.ts';
import { DAYS, type Day } from '../../src/hours.ts';

/** What a browser would send of the shown grid. */
function fieldsOf(grid: Omit<HoursGrid, 'label'>): URLSearchParams {
  const form = new URLSearchParams();
  for (const [tag] of hoursGrid({ label: 'Hours', ...grid })
    .toString()
    .matchAll(/<input [^>]*>/g)) {
    const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
    if (attribute('type') !== 'checkbox' || tag.includes(' checked')) form.append(attribute('name'), attribute('value'));
  }
  return form;
}

const WEEK = 672;
/** Stored hours: quarter hours that are open or not, in runs, as PostgreSQL would write them. */
const hours = fc
  .uniqueArray(fc.integer({ min: 0, max: WEEK }), { minLength: 2, maxLength: 60 })
  .map((bounds) => bounds.sort((a, b) => a - b).map((bound) => bound * 15))
  .map((bounds) =>
    Array.from({ length: Math.floor(bounds.length / 2) }, (_, run) => `[${bounds[2 * run]},${bounds[2 * run + 1]})`),
  )
  .map((ranges) => `{${ranges.join(',')}}`)
  .map((value) => (value === '{[0,10080)}' ? null : value));

t.test('whatever is stored is shown, and saving it changes nothing', async () => {
  fc.assert(
    fc.property(hours, (value) => {
      const form = fieldsOf({ value });
      deepEqual(parseHours(form), { value });
      deepEqual(parseHours(fieldsOf({ value: null, sent: form })), { value }, 'a refused form shows the same again');
    }),
  );
});

t.test('nothing stored is shown as any time, and any time is not stored', async (t) => {
  const form = fieldsOf({ value: null });
  t.same(parseHours(form), { value: null });
  t.equal(form.get('hours-sun-to'), '00:00', "browsers don't know 24:00");
});

/** @param days By name: the times of an open day. The others are closed. */
function formOf(days: Readonly<Record<string, readonly (readonly [string, string])[]>>, name = 'hours'): URLSearchParams {
  const form = new URLSearchParams();
  for (const [day, pairs] of Object.entries(days)) {
    form.append(`${name}-${day}`, 'yes');
    for (const [from, to] of pairs) {
      form.append(`${name}-${day}-from`, from);
      form.append(`${name}-${day}-to`, to);
    }
  }
  return form;
}

t.test('times in any order that touch or overlap become one range, over midnight and over Sunday', async () => {
  const clock = (minutes: number) =>
    `${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  const pair = fc
    .uniqueArray(fc.integer({ min: 0, max: 96 }), { minLength: 2, maxLength: 2 })
    .map((bounds) => bounds.sort((a, b) => a - b).map((bound) => bound * 15) as [number, number]);
  fc.assert(
    fc.property(fc.array(fc.array(pair, { minLength: 1, maxLength: 5 }), { minLength: 7, maxLength: 7 }), (week) => {
      const open = new Set<number>();
      const days = week.map((pairs, day) => {
        for (const [from, to] of pairs) for (let at = from; at < to; at += 15) open.add((day * 1440 + at) / 15);
        return [DAYS[day], pairs.map(([from, to]) => [clock(from), clock(to)] as const)] as const;
      });
      const edges = Array.from({ length: WEEK + 1 }, (_, at) => at).filter((at) => open.has(at) !== open.has(at - 1));
      const runs = Array.from(
        { length: edges.length / 2 },
        (_, run) => `[${Number(edges[2 * run]) * 15},${Number(edges[2 * run + 1]) * 15})`,
      );
      const value = `{${runs.join(',')}}`;
      deepEqual(parseHours(formOf(Object.fromEntries(days))), { value: value === '{[0,10080)}' ? null : value });
    }),
  );
});

const at = (day: Day, code: DayError['code'], end: 'from' | 'to' = 'from', pair = 0) => ({ day, code, end, pair });
const refused: [what: string, days: Parameters<typeof formOf>[0], errors: DayError[]][] = [
  ['no open day', {}, [at('mon', 'never_open')]],
  ['an open day without times', { tue: [['', '']] }, [at('tue', 'no_times')]],
  ['a start alone', { mon: [['08:00', '']] }, [at('mon', 'incomplete', 'to')]],
  ['an end alone', { mon: [['', '20:00']] }, [at('mon', 'incomplete')]],
  ['an end at its start', { mon: [['08:00', '08:00']] }, [at('mon', 'order', 'to')]],
  ['an end before its start', { fri: [['22:00', '02:00']] }, [at('fri', 'order', 'to')]],
  ['a start off the quarter hour', { sun: [['08:10', '09:00']] }, [at('sun', 'not_quarter')]],
  ['an end off the quarter hour', { sun: [['08:00', '09:14']] }, [at('sun', 'not_quarter', 'to')]],
  ['a start at the end of the day', { mon: [['24:00', '24:00']] }, [at('mon', 'unreadable')]],
  ['an end past the day', { mon: [['08:00', '24:15']] }, [at('mon', 'unreadable', 'to')]],
  ['a start that is no time', { mon: [['eight', '20:00']] }, [at('mon', 'unreadable')]],
  ['an end that is no time', { mon: [['08:00', '8 pm']] }, [at('mon', 'unreadable', 'to')]],
  ['minutes past the hour', { mon: [['08:60', '20:00']] }, [at('mon', 'unreadable')]],
  [
    'a second pair',
    {
      mon: [
        ['08:00', '12:00'],
        ['', ''],
        ['13:00', ''],
      ],
    },
    [at('mon', 'incomplete', 'to', 1)],
  ],
  [
    'several days',
    { mon: [['08:00', '20:00']], wed: [['', '']], sat: [['9', '10']] },
    [at('wed', 'no_times'), at('sat', 'unreadable')],
  ],
];
for (const [what, days, errors] of refused) {
  t.test(`refused at its field: ${what}`, async (t) => {
    const sent = formOf(days);
    t.same(parseHours(sent), { errors });
    const shown = hoursGrid({ label: 'Hours', value: null, sent, errors }).toString();
    t.equal(shown.match(/ autofocus/g)?.length, 1, 'one field has the focus');
    t.equal(shown.match(/role="alert"/g)?.length, 1);
    t.equal(shown.match(/aria-invalid/g)?.length, errors.length);
    for (const [, id] of shown.matchAll(/aria-invalid="true" aria-describedby="([^"]*)"/g)) t.match(shown, ` id="${id}"`);
  });
}

t.test('midnight at the end of a day is 00:00 or 24:00', async (t) => {
  t.same(parseHours(formOf({ mon: [['20:00', '00:00']] })), { value: '{[1200,1440)}' });
  t.same(parseHours(formOf({ mon: [['20:00', '24:00']] })), { value: '{[1200,1440)}' });
  t.same(parseHours(formOf({ sun: [['0:00', '00:00']] })), { value: '{[8640,10080)}' });
});

t.test('the times of a closed day do not count, however wrong', async (t) => {
  const form = formOf({ mon: [['08:00', '20:00']], tue: [['20:00', '08:01']] });
  form.delete('hours-tue');
  t.same(parseHours(form), { value: '{[480,1200)}' });
});

t.test('two grids of a page have names of their own', async (t) => {
  const both = new URLSearchParams([...formOf({ mon: [['08:00', '09:00']] }, 'calls'), ...formOf({ tue: [['08:00', '09:00']] })]);
  t.same(parseHours(both, 'calls'), { value: '{[480,540)}' });
  t.same(parseHours(both), { value: '{[1920,1980)}' });
});

t.test('what was typed and what a page says are escaped', async (t) => {
  const hostile = '"><script>alert(1)</script>';
  const sent = formOf({ mon: [[hostile, hostile]] });
  const shown = hoursGrid({ name: hostile, label: hostile, hint: hostile, value: null, sent }).toString();
  t.notMatch(shown, '<script>');
  t.notMatch(hoursGrid({ label: 'Hours', value: null, sent }).toString(), '<script>');
});

t.test('closed days keep what was pasted, line by line, and say what is wrong with it', async (t) => {
  const shown = closedDaysField('\n2026-12-24\n</textarea>', 'Line 3: <b>').toString();
  t.match(shown, '\n\n2026-12-24\n&#60;/textarea&#62;</textarea>');
  t.match(shown, /aria-describedby="closedDays-hint closedDays-error" aria-invalid="true" autofocus/);
  t.match(shown, '<p class="error" id="closedDays-error" role="alert">Line 3: &#60;b&#62;</p>');
});
