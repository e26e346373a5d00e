// The download of the Results over HTTP is complete, arrives in pieces and needs bounded memory. If the database fails, the connection
// breaks.
import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import t from 'tap';
import { columnsOf } from '../../src/console/results/columns.ts';
import { csvPieces, readKeys } from '../../src/console/results/csv.ts';
import type { Result } from '../../src/database/store.ts';
import { inTurns, SHARES, streamInTurn, Turns } from '../../src/database/turns.ts';
import { isClientGone, stream } from '../../src/http/stream.ts';
import { createLog } from '../../src/log.ts';
import type { Recorder } from '../../src/metrics.ts';
import { startTestServer } from '../fixtures/http.ts';
import { waitersFor } from '../fixtures/inspect.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { createBatch, createSurvey, createTestDatabase, until } from '../fixtures/setup.ts';

const { sql, store, urlAs, connect } = await createTestDatabase(t);
const lines: { level: number; msg: string; status: number; code?: string }[] = [];
const log = createLog('info', { write: (line) => lines.push(JSON.parse(line)) });
/** The codes of requests in the metrics. */
const counted: (string | undefined)[] = [];
const recorder = { request: (_route, _status, code) => counted.push(code) } as Pick<Recorder, 'request'> as Recorder;
const { url } = await startTestServer(t, urlAs('invite_web'), {}, log, recorder);

/** Creates a survey with responses whose metadata has the key n. Every hundredth has one more key. */
async function createResponses(count: number) {
  const { workspace, survey } = await createSurvey(store);
  const viewer = await createMember(store, workspace, 'viewer', `${workspace}@example.com`);
  await sql`
    insert into invite.responses (survey_id, answers, metadata, submitted_at)
    select ${survey}, jsonb_build_object('score', n % 11), case when n % 100 = 0 then jsonb_build_object('n', n, 'rare', true) else jsonb_build_object('n', n) end, now()
    from generate_series(1, ${count}::integer) as n`;
  return { survey, viewer, path: `/surveys/${survey}/results.csv` };
}

t.test('the file has each response once, newest first, over many pages, with the columns of all', async (t) => {
  const { viewer, path } = await createResponses(620);
  const answer = await visit(url, path, viewer);
  t.match(answer.headers.get('content-disposition'), /^attachment; filename="results-customer-survey-\d{4}-\d\d-\d\d\.csv"$/);
  t.equal(answer.headers.get('cache-control'), 'no-store');
  t.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8');
  const bytes = Buffer.from(await answer.arrayBuffer());
  t.equal(bytes.subarray(0, 3).toString('hex'), 'efbbbf', 'it begins with the byte order mark');
  const [header, ...rows] = bytes.toString('utf8').trimEnd().split('\r\n');
  t.match(header, '"metadata: n","metadata: rare","other"');
  t.strictSame(
    rows.map((row) => Number(row.split(',').at(-3))),
    Array.from({ length: 620 }, (_, index) => 620 - index),
  );
});

t.test('a response whose answers were erased says so, on the page and in the file', async (t) => {
  const { workspace, survey } = await createBatch(store);
  const [row] = await sql`select link_token from test.invitations where survey_id = ${survey}`;
  await store.submitResponse(survey, { score: 7 }, row?.link_token);
  const viewer = await createMember(store, workspace, 'viewer', `${workspace}@example.com`);
  const read = async (path: string) => (await visit(url, `/surveys/${survey}/${path}`, viewer)).text();
  t.notMatch((await read('results')) + (await read('results.csv')), /erased/);
  await store.eraseEmail(workspace, 'ada@example.com', false, true);
  t.match(await read('results'), 'Answers erased');
  t.match(await read('results.csv'), /"\{""erased"":\{""at"":""\d{4}-/);
});

t.test("choices are in the survey's words as they were answered, never by id, also of a page in another language", async (t) => {
  const { workspace, survey } = await createSurvey(store);
  const viewer = await createMember(store, workspace, 'viewer', `${workspace}@example.com`);
  const ask = (first: string) =>
    store.upsertSurvey({
      ...{ workspaceId: workspace, id: survey, openResponses: true },
      questions: [
        { id: 'where', type: 'choice', label: 'Where?', choices: [first, 'Web'], choice_ids: ['c1', 'c2'] },
        { id: 'why', type: 'choice', several: true, label: 'Why?', choices: ['Price', 'ราคา'], choice_ids: ['p1', 'p2'] },
      ],
    });
  await ask('Shop');
  await store.setSurveyTranslation(survey, 'de', {
    title: 'Umfrage',
    questions: {
      where: { label: 'Wo?', choices: { Shop: 'Laden', Web: 'Netz' } },
      why: { label: 'Warum?', choices: { Price: 'Preis', ราคา: 'Thai' } },
    },
  });
  const answer = (where: string) =>
    fetch(`${url}/s/${survey}?language=de`, {
      method: 'POST',
      body: new URLSearchParams([
        ['language', 'de'],
        ['answer.where', where],
        ['answer.why', 'Price'],
        ['answer.why', 'ราคา'],
      ]),
    });
  t.equal((await answer('Shop')).status, 200);
  await ask('Boutique');
  t.equal((await answer('Boutique')).status, 200);
  const csv = await (await visit(url, `/surveys/${survey}/results.csv`, viewer)).text();
  t.same(csv.match(/"(Shop|Boutique|c1)","[^"]*"/g), ['"Boutique","Price; ราคา"', '"Shop","Price; ราคา"']);
  t.notMatch(csv, /Laden|Preis|\b[cp][12]\b/);
});

t.test('the file has only the filtered responses', async (t) => {
  const { viewer, path } = await createResponses(300);
  const rows = async (query: string) => (await (await visit(url, path + query, viewer)).text()).trimEnd().split('\r\n').slice(1);
  t.equal((await rows('?key=rare')).length, 3);
  t.equal((await rows('?key=n&value=7')).length, 1);
  t.equal((await rows('?key=n&value=none')).length, 0);
});

t.test('a value without its key filters nothing, shows an error beside the field, and has no download', async (t) => {
  const { viewer, path } = await createResponses(3);
  const page = await visit(url, `${path.replace('.csv', '')}?key=+&value=A-1`, viewer);
  t.equal(page.status, 422);
  const text = await page.text();
  t.match(text, /<input[^>]* id="key"[^>]* aria-invalid="true" aria-describedby="key-error"/);
  t.match(text, /<input[^>]* id="value"[^>]* value="A-1"/);
  t.match(text, /id="key-error" role="alert">Enter the metadata key of this value/);
  t.equal((await visit(url, `${path}?value=A-1`, viewer)).status, 400);
  const both = await visit(url, `${path.replace('.csv', '')}?key=n&value=1`, viewer);
  t.notMatch(await both.text(), 'key-error');
});

t.test('one page is read at a time, and the next only after the client took the last', async (t) => {
  const asked: [before: string | undefined, rows: number][] = [];
  const PAGES = 400;
  const source = {
    resultKeys: store.console.resultKeys,
    listResults: async (_session: Buffer, _survey: string, _filter: unknown, before: string | undefined, rows: number) => {
      asked.push([before, rows]);
      const from = Number(before ?? PAGES * rows + 1);
      return Array.from(
        { length: Math.min(rows, from - 1) },
        (_, index) =>
          ({
            id: String(from - 1 - index),
            submittedAt: new Date(0),
            attribution: 'direct',
            invitationId: null,
            batchId: null,
            language: null,
            clickedInEmail: null,
            answers: {},
            metadata: null,
          }) as unknown as Result,
      );
    },
  };
  const columns = { ...columnsOf([], [], []), named: false };
  const pieces = csvPieces(source, { session: Buffer.alloc(32), surveyId: 's', filter: undefined }, columns);
  let longest = 0;
  let responses = -1;
  for await (const piece of pieces) {
    t.ok(asked.length <= PAGES + 1);
    longest = Math.max(longest, piece.length);
    responses += piece.split('\r\n').length - 1;
    if (responses === 0) t.equal(asked.length, 0, 'the header needs no page');
  }
  t.equal(responses, 100_000);
  t.equal(asked.length, PAGES + 1);
  t.ok(asked.every(([, rows]) => rows === 250));
  t.ok(longest < 64 * 1024, `the longest piece has ${longest} characters`);
});

t.test('a piece of long responses has few of them, and the file has each once', async (t) => {
  const COUNT = 1_000;
  const isLong = (id: number) => id % 500 < 100;
  const asked: number[] = [];
  const source = {
    resultKeys: store.console.resultKeys,
    listResults: async (_session: Buffer, _survey: string, _filter: unknown, before: string | undefined, rows: number) => {
      asked.push(rows);
      const from = Number(before ?? COUNT + 1) - 1;
      return Array.from({ length: Math.min(rows, from) }, (_, index) => {
        const id = from - index;
        const answers = { comment: `#${id}#${isLong(id) ? 'x'.repeat(300_000) : ''}` };
        return {
          id: String(id),
          submittedAt: new Date(0),
          attribution: 'direct',
          invitationId: String(id),
          batchId: null,
          language: null,
          clickedInEmail: null,
          answers,
          metadata: null,
        } as unknown as Result;
      });
    },
  };
  const columns = { ...columnsOf([], ['comment'], []), named: false };
  let lines = 0;
  const ids: string[] = [];
  for await (const piece of csvPieces(source, { session: Buffer.alloc(32), surveyId: 's', filter: undefined }, columns)) {
    t.ok(piece.length < 1.4e6, `a piece has ${piece.length} characters`);
    lines += piece.split('\r\n').length - 1;
    ids.push(...[...piece.matchAll(/#(\d+)#/g)].map(([, id]) => id ?? ''));
  }
  t.equal(lines, COUNT + 1);
  t.strictSame(
    ids,
    Array.from({ length: COUNT }, (_, index) => String(COUNT - index)),
  );
  // A page that turns out to be too long is read again in parts: so once for each stretch of long responses.
  t.equal(asked.filter((rows) => rows > 100).length <= 8, true, String(asked));
});

t.test('keys are read in steps, from newest to oldest, and are bounded', async (t) => {
  const steps: (string | undefined)[] = [];
  const source = {
    listResults: store.console.listResults,
    resultKeys: async (_session: Buffer, _survey: string, _filter: unknown, before: string | undefined, rows: number) => {
      steps.push(before);
      const keys = Array.from({ length: 150 }, (_, index) => `${steps.length}-${index}`);
      return { answerKeys: ['a'], metadataKeys: keys, scanned: steps.length < 3 ? rows : 5, lastId: String(100 - steps.length) };
    },
  };
  const keys = await readKeys(source, { session: Buffer.alloc(32), surveyId: 's', filter: undefined });
  t.strictSame(steps, [undefined, '99', '98']);
  t.strictSame(keys.answers, ['a']);
  t.equal(keys.metadata.length, 200);
});

t.test('reading of keys stops when the client disconnects', async (t) => {
  let steps = 0;
  const source = {
    listResults: store.console.listResults,
    resultKeys: async (_session: Buffer, _survey: string, _filter: unknown, _before: string | undefined, rows: number) => {
      steps += 1;
      return { answerKeys: [], metadataKeys: [], scanned: rows, lastId: '1' };
    },
  };
  await readKeys(source, { session: Buffer.alloc(32), surveyId: 's', filter: undefined }, () => steps === 3);
  t.equal(steps, 3);
});

t.test('simultaneous downloads query the database one after the other, even after errors', async (t) => {
  const open: PromiseWithResolvers<Result[]>[] = [];
  const calls = {
    listResults: (..._asked: Parameters<typeof store.console.listResults>) => {
      const asked = Promise.withResolvers<Result[]>();
      open.push(asked);
      return asked.promise;
    },
  };
  const source = inTurns(calls, new Turns({ places: 1, perGroup: 1 }));
  const ask = () => source.listResults(Buffer.alloc(32), 's', undefined, undefined, 1);
  const [first, second] = [ask(), ask()];
  await until('the first asks', () => open.length > 0);
  t.equal(open.length, 1);
  open[0]?.reject(new Error('gone'));
  await t.rejects(first, { message: 'gone' });
  await until('the second asks', () => open.length > 1);
  open[1]?.resolve([]);
  t.same(await second, []);
});

t.test('of one workspace four exports are sent at a time, and the next begins when one ends or its client leaves', async (t) => {
  const turns = new Turns(SHARES.exports);
  const begun: string[] = [];
  async function* pieces(name: string) {
    begun.push(name);
    yield name;
    yield 'more';
  }
  const send = (group: string, name: string, isGone = () => false) => {
    const sending = streamInTurn(turns, { group, isGone }, pieces(name));
    const first = sending.next();
    first.catch(() => {});
    return { sending, first };
  };
  const exports = ['a1', 'a2', 'a3', 'a4'].map((name) => send('a', name));
  await Promise.all(exports.map(({ first }) => first));
  let isGone = false;
  const [leaving, waiting] = [send('a', 'a5', () => isGone), send('a', 'a6')];
  t.match(await send('b', 'b1').first, { value: 'b1' }, "another workspace's begins at once");
  t.same(begun, ['a1', 'a2', 'a3', 'a4', 'b1']);
  isGone = true;
  await exports[0]?.sending.return(undefined);
  await t.rejects(leaving.first, { name: 'ClientGoneError' });
  t.match(await waiting.first, { value: 'a6' });
  const last = send('a', 'a7');
  for await (const _ of waiting.sending);
  t.match(await last.first, { value: 'a7' });
});

t.test("the console's pages don't hold up trigger requests", async (t) => {
  const { workspace, secret } = await createBatch(store);
  const owners = [];
  for (let count = 0; count < 8; count += 1)
    owners.push(await createMember(store, workspace, 'owner', `${count}-${workspace}@example.com`));
  const blocker = connect();
  await blocker`begin`;
  await blocker`lock table invite.audit_log`;
  let shown = 0;
  const pages = owners.map(async (owner) => {
    await visit(url, `/workspaces/${workspace}/audit`, owner);
    shown += 1;
  });
  await until('the pages wait for the database', async () => (await waitersFor(sql, 'invite.audit_log')) >= 2);
  const answer = await fetch(`${url}/api/invitation-trigger`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: '{"email": "bob@example.com"}',
  });
  t.equal(answer.status, 200);
  t.equal(shown, 0, 'while the pages wait');
  await blocker`rollback`;
  await Promise.all(pages);
});

t.test('a download that its reader aborts, before or while it is sent, is no error in the log and the metrics', async (t) => {
  const { viewer, path } = await createResponses(2000);
  lines.length = 0;
  counted.length = 0;
  let answered = 0;
  for (let count = 0; count < 20; count += 1) {
    const aborted = Promise.withResolvers<void>();
    const request = get(url + path, { headers: { cookie: `session=${viewer.key}` }, agent: false }, (response) => {
      answered += 1;
      response.once('data', () => request.destroy());
    });
    request.on('error', () => {}).once('close', () => aborted.resolve());
    // Every second request is aborted before its response can have begun.
    if (count % 2 === 0) request.once('socket', (socket) => socket.once('connect', () => request.end(() => request.destroy())));
    await aborted.promise;
  }
  t.ok(answered > 0);
  // A member's requests run one after the other, so this response comes after the aborted requests.
  t.equal((await visit(url, path, viewer)).status, 200);
  t.same(
    lines.filter(({ level, code }) => level >= 40 || code !== undefined),
    [],
  );
  t.same(new Set(counted), new Set([undefined]));
});

t.test("a client that doesn't read pauses the pieces, and one that disconnects ends them", async (t) => {
  let yielded = 0;
  let ended = false;
  async function* pieces() {
    try {
      for (; yielded < 5000; yielded += 1) yield 'x'.repeat(64 * 1024);
    } finally {
      ended = true;
    }
  }
  let response: ServerResponse | undefined;
  let result: Promise<unknown> | undefined;
  const server = createServer((_request, serverResponse) => {
    response = serverResponse;
    result = stream(serverResponse, 200, {}, pieces());
  });
  t.teardown(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  const [message] = await once(request, 'response');
  message.pause();
  await until('the connection is full', () => response?.writableNeedDrain);
  t.ok(yielded < 1000, `${yielded} of 5000 pieces were made`);
  t.notOk(ended);
  request.destroy();
  request.on('error', () => {});
  message.on('error', () => {});
  t.ok(isClientGone(await result));
  await until('the pieces end', () => ended);
});

t.test('a client that has left before the first piece is no error either', async (t) => {
  const left = Promise.withResolvers<unknown>();
  const server = createServer(async (_request, response) => {
    response.once('close', async () => left.resolve(await stream(response, 200, {}, Readable.from(['never read']))));
    request.destroy();
  });
  t.teardown(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  request.on('error', () => {});
  const error = await left.promise;
  t.match(error, { code: 'ERR_STREAM_UNABLE_TO_PIPE' });
  t.ok(isClientGone(error));
});

t.test('a database error in the middle breaks the connection and is logged', async (t) => {
  const { viewer, path } = await createResponses(600);
  const [row] = await sql`select pg_get_functiondef('console.results'::regproc) as definition`;
  const definition = row?.definition as string;
  await sql.unsafe(
    definition.replace('\nbegin\n', `\nbegin\n  if before_id is not null then raise 'gone' using errcode = '57P01'; end if;\n`),
  );
  t.teardown(() => sql.unsafe(definition));
  lines.length = 0;
  const answer = await visit(url, path, viewer);
  t.equal(answer.status, 200, 'it had begun well');
  await t.rejects(answer.text(), 'the end does not come');
  await until('the request is logged', () => lines.some(({ msg }) => msg === 'request'));
  t.match(
    lines.find(({ msg }) => msg === 'request'),
    { status: 200, code: 'not_ready' },
  );
  t.ok(lines.some(({ msg }) => msg === 'the response broke off'));
});

t.test('an error before the first byte gets a normal error page', async (t) => {
  const { viewer, path, survey } = await createResponses(1);
  t.equal((await visit(url, `/surveys/${survey}x/results.csv`, viewer)).status, 404);
  await sql`alter function console.result_keys rename to result_keys_away`;
  t.teardown(() => sql`alter function console.result_keys_away rename to result_keys`);
  const answer = await visit(url, path, viewer);
  t.equal(answer.status, 503);
  t.match(answer.headers.get('content-type'), 'text/html');
});
