// send_at: every accepted format, times that don't exist, and the limits in the future and the past.
import t from 'tap';
import { formatUtc } from '../../src/text.ts';
import { parseSendAt } from '../../src/trigger/send-at.ts';

const NOW = new Date('2030-01-31T08:00:00Z');
/** Returns the time this many seconds from now, in the format of the API. */
const fromNow = (seconds: number) => formatUtc(new Date(NOW.getTime() + seconds * 1000));

t.test('now is not a time', async (t) => {
  t.equal(parseSendAt('now', NOW), undefined);
});

t.test('every documented form is read as the same UTC time', async (t) => {
  for (const text of [
    '2030-01-31 09:00:00 UTC',
    '2030-01-31 09:00:00',
    '2030-01-31T09:00:00',
    '2030-01-31T09:00:00Z',
    '2030-01-31T09:00:00+00:00',
    '2030-01-31T09:00:00.250Z',
    ' 2030-01-31 09:00:00 UTC ',
  ]) {
    t.same(parseSendAt(text, NOW), new Date('2030-01-31T09:00:00Z'), JSON.stringify(text));
  }
});

t.test('a time in another form or zone is rejected, never read as now', async (t) => {
  for (const text of [
    '',
    ' ',
    'Now',
    'NOW',
    'tomorrow',
    '2030-01-31',
    '2030-01-31 09:00',
    '2030-1-31 09:00:00',
    '31.01.2030 09:00:00',
    '1896080400',
    '2030-01-31 09:00:00 CET',
    '2030-01-31 09:00:00 +01:00',
    '2030-01-31T09:00:00+01:00',
    '2030-01-31T09:00:00-00:30',
    '2030-01-31 09:00:00 UTC; drop table',
    '2030-01-31 09:00:00\n2030-01-31 09:00:00',
    '+02030-01-31T09:00:00Z',
  ]) {
    t.match(parseSendAt(text, NOW), /^must be now or a UTC time/, JSON.stringify(text));
  }
});

t.test('a time with an offset is rejected with the UTC time that it means', async (t) => {
  for (const text of ['2030-01-31T09:00:00+01:00', '2030-01-31 09:00:00 +0100', '2030-01-31T07:30:00.5-00:30']) {
    t.equal(parseSendAt(text, NOW), 'must be now or a UTC time: did you mean 2030-01-31 08:00:00 UTC?', text);
  }
  t.match(parseSendAt('2030-13-31T09:00:00+01:00', NOW), /such as/);
});

t.test('a date or time that does not exist is rejected', async (t) => {
  for (const text of [
    '2030-02-29 09:00:00',
    '2030-02-30 09:00:00',
    '2030-04-31 09:00:00',
    '2030-13-01 09:00:00',
    '2030-00-10 09:00:00',
    '2030-05-00 09:00:00',
    '2030-05-01 24:00:00',
    '2030-05-01 09:60:00',
    '2030-05-01 09:00:60',
  ]) {
    t.equal(parseSendAt(text, NOW), "isn't a date and time that exists", text);
  }
});

t.test('29 February exists in a leap year', async (t) => {
  const now = new Date('2028-02-01T00:00:00Z');
  t.same(parseSendAt('2028-02-29 00:00:00', now), new Date('2028-02-29T00:00:00Z'));
  t.type(parseSendAt('2029-02-29 00:00:00', new Date('2029-02-01T00:00:00Z')), 'string');
});

t.test('a year ahead is accepted, a second more is rejected', async (t) => {
  t.type(parseSendAt(fromNow(31_536_000), NOW), Date);
  t.equal(parseSendAt(fromNow(31_536_001), NOW), 'must be within a year from now');
});

t.test('five minutes in the past are accepted, a second more is rejected', async (t) => {
  t.type(parseSendAt(fromNow(-300), NOW), Date);
  t.equal(parseSendAt(fromNow(-301), NOW), 'must not be more than 5 minutes in the past');
});
