// Hours and closed days as people write them, as lists, and as PostgreSQL's multiranges.
import fc from 'fast-check';
import t, { type Test } from 'tap';
import {
  formatClosedDays,
  formatOpenHours,
  fromClosedDays,
  fromOpenHours,
  HoursError,
  parseClosedDays,
  parseOpenHours,
  toOpenHours,
} from '../src/hours.ts';

/** Each text with what it means, and how it is written back. */
const HOURS: readonly (readonly [text: string, openHours: string | null, written?: string])[] = [
  ['Mon 08:00-20:00', '{[480,1200)}'],
  ['Mon-Fri 08:00-20:00', '{[480,1200),[1920,2640),[3360,4080),[4800,5520),[6240,6960)}'],
  ['Mon-Tue 08:00-12:00 13:15-17:45, Sat 10:00-14:00', '{[480,720),[795,1065),[1920,2160),[2235,2505),[7800,8040)}'],
  ['  tue 8:00 – 9:00,MON 8:00-9:00 ', '{[480,540),[1920,1980)}', 'Mon-Tue 08:00-09:00'],
  ['Mon 08:00-10:00, Mon 10:00-12:00, Mon 09:00-11:00', '{[480,720)}', 'Mon 08:00-12:00'],
  ['Mon 08:00-09:00, Wed 08:00-09:00', '{[480,540),[3360,3420)}'],
  ['Mon-Tue 00:00-24:00', '{[0,2880)}'],
  ['Mon 22:00-02:00', '{[1320,1560)}', 'Mon 22:00-24:00, Tue 00:00-02:00'],
  ['Sun 22:00-02:00', '{[0,120),[9960,10080)}', 'Mon 00:00-02:00, Sun 22:00-24:00'],
  ['Sun 22:00-00:00', '{[9960,10080)}', 'Sun 22:00-24:00'],
  ['Sat-Mon 10:00-12:00', '{[600,720),[7800,7920),[9240,9360)}', 'Mon 10:00-12:00, Sat-Sun 10:00-12:00'],
  [
    'Mon-Sun 23:45-00:15',
    '{[0,15),[1425,1455),[2865,2895),[4305,4335),[5745,5775),[7185,7215),[8625,8655),[10065,10080)}',
    'Mon-Sun 00:00-00:15 23:45-24:00',
  ],
  ['always', null],
  [' Always ', null, 'always'],
  ['Mon-Sun 00:00-24:00', null, 'always'],
  ['Mon-Sun 12:00-00:00, Sun-Sat 00:00-12:00', null, 'always'],
];

for (const [text, openHours, written = text] of HOURS) {
  t.test(`${text} is ${openHours}`, async (t) => {
    t.equal(parseOpenHours(text), openHours);
    t.equal(formatOpenHours(openHours), written);
    t.equal(parseOpenHours(written), openHours);
  });
}

t.test('hours are listed by day, and split at midnight', async (t) => {
  t.same(fromOpenHours('{[1320,4335),[10065,10080)}'), [
    { day: 'mon', from: '22:00', to: '24:00' },
    { day: 'tue', from: '00:00', to: '24:00' },
    { day: 'wed', from: '00:00', to: '24:00' },
    { day: 'thu', from: '00:00', to: '00:15' },
    { day: 'sun', from: '23:45', to: '24:00' },
  ]);
  t.equal(fromOpenHours(null), null);
  t.equal(toOpenHours([{ day: 'sun', from: '23:45', to: '00:15' }]), '{[0,15),[10065,10080)}');
});

t.test('the whole week from SQL is always', async (t) => t.equal(formatOpenHours('{[0,10080)}'), 'always'));

t.test('any hours are the same after they were listed, or written', async () => {
  const bounds = fc.uniqueArray(fc.nat(672), { minLength: 2, maxLength: 40 });
  fc.assert(
    fc.property(bounds, (numbers) => {
      const sorted = numbers.sort((a, b) => a - b).map((quarter) => quarter * 15);
      const pairs = sorted.flatMap((bound, index) => (index % 2 === 1 ? [`[${sorted[index - 1]},${bound})`] : []));
      const openHours = `{${pairs.join()}}`;
      if (openHours === '{[0,10080)}') return;
      const same = (what: string, got: string | null) => {
        if (got !== openHours) throw new Error(`${what}: ${got}`);
      };
      same('listed', toOpenHours(fromOpenHours(openHours) ?? []));
      same('written', parseOpenHours(formatOpenHours(openHours)));
    }),
  );
});

/** @param message A part of it. */
function refused(t: Test, work: () => unknown, code: string, message: string) {
  try {
    t.fail(`${work()} isn't refused as ${code}`);
  } catch (error) {
    t.ok(error instanceof HoursError);
    t.match(error, { code });
    t.ok((error as Error).message.includes(message), (error as Error).message);
  }
}

t.test('what is wrong about hours is said', async (t) => {
  const wrong: readonly (readonly [string, string, string])[] = [
    ['', 'invalid_hours', '"" isn\'t hours: write Mon-Fri 08:00-20:00, or always.'],
    ['Mon', 'invalid_hours', '"Mon" isn\'t hours'],
    ['Mon 8-20', 'invalid_time', "8 isn't a time from 00:00 to 24:00."],
    ['08:00-20:00', 'invalid_hours', '"08:00-20:00" isn\'t hours'],
    ['Mon 08:00-20:00, ', 'invalid_hours', '"" isn\'t hours'],
    ['Mon 08:00-20:00; Tue 08:00-20:00', 'invalid_hours', ''],
    ['never', 'invalid_hours', ''],
    ['Montag 08:00-20:00', 'unknown_day', "Montag isn't a day: write Mon, Tue, Wed, Thu, Fri, Sat or Sun."],
    ['Mon-Dom 08:00-20:00', 'unknown_day', "Dom isn't a day"],
    ['Mon 08:00-25:00', 'invalid_time', "25:00 isn't a time from 00:00 to 24:00."],
    ['Mon 08:00-24:15', 'invalid_time', ''],
    ['Mon 08:60-09:00', 'invalid_time', ''],
    ['Mon 24:00-09:00', 'invalid_time', "24:00 can't be a start: write 00:00 of the next day."],
    ['Mon 08:05-09:00', 'invalid_quarter', "08:05 isn't a quarter of an hour, such as 08:00 or 08:15."],
    ['Mon 08:00-08:00', 'no_hours', '08:00-08:00 is empty'],
  ];
  for (const [text, code, message] of wrong) refused(t, () => parseOpenHours(text), code, message);
  refused(t, () => toOpenHours([]), 'no_hours', 'Give hours such as Mon-Fri 08:00-20:00, or always.');
  refused(t, () => toOpenHours([{ day: 'constructor' as 'mon', from: '08:00', to: '09:00' }]), 'unknown_day', '');
});

/** Each text with its dates. */
const CLOSED: Readonly<Record<string, readonly [text: string, closedDays: string | null, written: string]>> = {
  'a date': ['2026-12-24', '{[2026-12-24,2026-12-25)}', '2026-12-24'],
  'dates, a range, and empty lines': [
    ' 2027-01-01\r\n\r\n2026-12-24..2026-12-26\n\t2028-02-29 .. 2028-03-01 \n',
    '{[2026-12-24,2026-12-27),[2027-01-01,2027-01-02),[2028-02-29,2028-03-02)}',
    '2026-12-24..2026-12-26\n2027-01-01\n2028-02-29..2028-03-01',
  ],
  'days that touch or overlap': [
    '2026-12-31\n2027-01-01\n2026-12-24..2026-12-31\n2026-12-26',
    '{[2026-12-24,2027-01-02)}',
    '2026-12-24..2027-01-01',
  ],
  'the last day': ['9999-12-31', '{[9999-12-31,10000-01-01)}', '9999-12-31'],
  nothing: [' \n\n', null, ''],
  'lines of a calendar': [
    'DTSTART;VALUE=DATE:20261224\nDTEND;VALUE=DATE:20261227\ndtstart;value=date:20270101\n2027-05-17',
    '{[2026-12-24,2026-12-27),[2027-01-01,2027-01-02),[2027-05-17,2027-05-18)}',
    '2026-12-24..2026-12-26\n2027-01-01\n2027-05-17',
  ],
  'a calendar': [
    [
      ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VTIMEZONE', 'TZID:Europe/Oslo', 'BEGIN:DAYLIGHT', 'DTSTART:19810329T020000'],
      ...['RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU', 'END:DAYLIGHT', 'END:VTIMEZONE'],
      ...['BEGIN:VEVENT', 'DTEND;VALUE=DATE:20260518', 'SUMMARY:Grunnlovsdag: 17. mai\\, with a long text that is', ' folded'],
      ...['DTSTART;VALUE=DATE:20260517', 'BEGIN:VALARM', 'TRIGGER:-PT15M', 'DURATION:PT5M', 'END:VALARM', 'END:VEVENT'],
      ...['BEGIN:VEVENT', 'DTSTART;VALUE=DATE:20260525', 'END:VEVENT', 'END:VCALENDAR', ''],
    ].join('\r\n'),
    '{[2026-05-17,2026-05-18),[2026-05-25,2026-05-26)}',
    '2026-05-17\n2026-05-25',
  ],
};

for (const [name, [text, closedDays, written]] of Object.entries(CLOSED)) {
  t.test(`closed days: ${name}`, async (t) => {
    t.equal(parseClosedDays(text), closedDays);
    t.equal(formatClosedDays(closedDays), written);
    t.equal(parseClosedDays(written), closedDays);
  });
}

t.test('closed days are listed with their last day', async (t) => {
  t.same(fromClosedDays('{[2026-12-24,2026-12-27),[2027-01-01,2027-01-02)}'), [
    { from: '2026-12-24', to: '2026-12-26' },
    { from: '2027-01-01', to: '2027-01-01' },
  ]);
  t.same(fromClosedDays(null), []);
});

t.test('at most 1,000 periods are closed, and days that touch are one', async (t) => {
  const days = (step: number, count: number) =>
    Array.from({ length: count }, (_, n) => new Date(Date.UTC(2026, 0, 1 + n * step)).toISOString().slice(0, 10)).join('\n');
  t.equal(fromClosedDays(parseClosedDays(days(2, 1000))).length, 1000);
  refused(t, () => parseClosedDays(days(2, 1001)), 'too_many_ranges', 'There are more than 1,000 closed periods.');
  t.equal(parseClosedDays(days(1, 3000)), '{[2026-01-01,2034-03-20)}');
});

t.test('what is wrong about closed days is said, with its line', async (t) => {
  const wrong: readonly (readonly [text: string, code: string, message: string])[] = [
    ['2026-12-24\n\n2026-02-30', 'invalid_date', "Line 3: 2026-02-30 isn't a date such as 2026-12-24."],
    ['2027-02-29', 'invalid_date', 'Line 1: '],
    ['2026-12-24..2026-13-01', 'invalid_date', "Line 1: 2026-13-01 isn't a date"],
    ['24.12.2026', 'invalid_date', "Line 1: 24.12.2026 isn't a date"],
    ['12/24/2026', 'invalid_date', ''],
    ['2026-1224', 'invalid_date', ''],
    ['0026-12-24', 'invalid_date', ''],
    ['Christmas', 'invalid_date', "Line 1: Christmas isn't a date"],
    [
      '2026-12-24\r\n2026-12-25 Christmas Day',
      'invalid_line',
      'Line 2: Write one date a line, such as 2026-12-24 or 2026-12-24..2026-12-26.',
    ],
    ['2026-12-24,2026-12-25', 'invalid_date', ''],
    ['2026-12-24..', 'invalid_line', ''],
    ['..2026-12-24', 'invalid_line', ''],
    ['2026-12-24..2026-12-25..2026-12-26', 'invalid_line', ''],
    ['2026-12-26..2026-12-24', 'reversed_dates', 'Line 1: 2026-12-26 is after 2026-12-24.'],
    [
      '\nDTSTART:20261224T090000Z',
      'not_whole_days',
      'Line 2: DTSTART must be a date such as 20261224: only whole days can be closed.',
    ],
    ['DTSTART;VALUE=DATE:20261224\nDTEND;VALUE=DATE:20261224', 'reversed_dates', 'Line 2: DTEND must be after DTSTART'],
    ['DTSTART;VALUE=DATE:20261232', 'invalid_date', "Line 1: 20261232 isn't a date"],
    ['DTSTART;VALUE=DATE:20261224\nRRULE:FREQ=YEARLY', 'repeating_event', 'Line 2: This event repeats: enter each of its dates.'],
    [
      'DTSTART;VALUE=DATE:20261224\nDURATION:P3D',
      'incomplete_event',
      'Line 2: This event has a duration: give its DTEND instead.',
    ],
    [
      'BEGIN:VEVENT\nSUMMARY:Christmas\nEND:VEVENT',
      'incomplete_event',
      "Line 1: This event has no DTSTART, so its first day isn't known.",
    ],
    ['DTEND;VALUE=DATE:20261224', 'incomplete_event', 'Line 1: This event has no DTSTART'],
  ];
  for (const [text, code, message] of wrong) refused(t, () => parseClosedDays(text), code, message);
});
