// The delivery with stand-ins for the database and the relay: it is bounded, it can be stopped, and no result is ever lost.
import t from 'tap';
import type { ClaimedInvitation, Settlement } from '../../src/database/store.ts';
import { NotReadyError } from '../../src/errors.ts';
import type { Messages, Outcome, OutgoingMessage } from '../../src/relay/relay.ts';
import { createDelivery, type DeliveryContext } from '../../src/worker/delivery.ts';
import { claimedInvitation } from '../fixtures/mail.ts';
import { silent, until } from '../fixtures/setup.ts';

/** Creates a delivery that claims what it is asked to. Its messages wait for their outcome, and its settles are recorded. */
function createBench(
  options: {
    concurrency?: number;
    maxBatch?: number;
    replaySeconds?: number;
    holdUnknown?: boolean;
    canStartSend?: () => boolean;
    invitation?: Partial<ClaimedInvitation>;
    claimed?: ClaimedInvitation[];
    rate?: number;
  } = {},
) {
  const inFlight: {
    message: OutgoingMessage;
    messages: Messages;
    attempt: number;
    answer: (outcome: Outcome) => void;
    answers: (outcomes: Outcome[]) => void;
  }[] = [];
  const settles: Settlement[][] = [];
  const bench = {
    inFlight,
    settles,
    settled: () => settles.flat(),
    mostInFlight: 0,
    /** Run before each claim and each settle. A test may replace them. */
    beforeClaim: (): unknown => undefined,
    beforeSettle: async () => {},
    /** Run before the workspaces of what is added are looked up. */
    beforeLookup: async () => {},
    claims: [] as [ids: readonly number[], workerId: string][],
    requeued: [] as unknown[],
    /** Returns the workspace of an invitation. */
    workspaceOf: (_: number): string => 'acme',
    /** Ids of invitations whose rows another transaction has locked. */
    locked: [] as string[],
    /** Ids that the next claim doesn't take because of the relay's rate. Later claims take them. */
    putOff: [] as number[],
  };
  const store: DeliveryContext['store'] = {
    workspacesOf: async (ids) => {
      await bench.beforeLookup();
      return [...Map.groupBy(ids, bench.workspaceOf)].map(([workspaceId, ownIds]) => ({ workspaceId, ids: ownIds }));
    },
    findWording: async () => null,
    requeueSends: async (...what) => void bench.requeued.push(what),
    claimInvitations: async (ids, workerId) => {
      await bench.beforeClaim();
      bench.claims.push([ids, workerId]);
      return (
        options.claimed ??
        ids.filter((id) => !bench.putOff.includes(id)).map((id) => claimedInvitation({ id: String(id), ...options.invitation }))
      );
    },
    putOffInvitations: async (ids) => {
      const putOff = bench.putOff.splice(0);
      return ids.filter((id) => putOff.includes(id));
    },
    settleInvitations: async (results) => {
      settles.push([...results]);
      await bench.beforeSettle();
      const locked = results.map(({ id }) => id).filter((id) => bench.locked.includes(id));
      return { settled: results.length - locked.length, locked };
    },
  };
  const delivery = createDelivery({
    store,
    sender: {
      maxBatch: options.maxBatch ?? 1,
      replaySeconds: options.replaySeconds,
      send: (messages, attempt) =>
        new Promise((answer) => {
          const [message] = messages;
          inFlight.push({ message, messages, attempt, answers: answer, answer: (outcome) => answer([outcome]) });
          bench.mostInFlight = Math.max(bench.mostInFlight, inFlight.length);
        }),
      close: async () => {},
    },
    render: { publicUrl: 'https://i.example', from: { name: 'Surveys', email: 'surveys@example.org' } },
    workerId: 'worker',
    holdUnknown: options.holdUnknown,
    canStartSend: options.canStartSend,
    concurrency: options.concurrency ?? 10,
    relay: options.rate === undefined ? undefined : { name: 'relay', rate: options.rate },
    log: silent,
  });
  /** Delivers these invitations. Resolves when nothing is left to do. */
  const deliver = async (ids: readonly number[]) => {
    await delivery.add(ids);
    await until('all is settled', () => delivery.unclaimed() === 0 && delivery.openClaims().length === 0);
  };
  return { inFlight, settles, settled: bench.settled, bench, delivery: { ...delivery, deliver } };
}

const accepted: Outcome = { kind: 'accepted', messageId: 'm' };
const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

t.test('a claimed invitation is rendered, sent with its attempt, and settled under its claim', async (t) => {
  const { delivery, inFlight, settled, bench } = createBench({ invitation: { attempts: 3, claimId: 'claim' } });
  const delivered = delivery.deliver([7]);
  const sent = await until('the message is in flight', () => inFlight[0]);
  t.match(sent, { message: { id: '7', subject: 'Acme: How was your order?' }, attempt: 3 });
  sent.answer(accepted);
  await delivered;
  t.same(bench.claims, [[[7], 'worker']]);
  t.same(settled(), [{ id: '7', claim_id: 'claim', outcome: 'accepted', relay_message_id: 'm' }]);
});

t.test('each outcome is settled unchanged, with code, detail and the wait that the relay asked for', async (t) => {
  const outcomes: Outcome[] = [
    { kind: 'retry', code: 'http_429', detail: 'Slow down.', afterSeconds: 17 },
    { kind: 'retry', code: 'ECONNREFUSED', detail: 'Away.' },
    { kind: 'unknown', code: 'timeout', detail: 'Silence.' },
    { kind: 'config', code: 'http_401', detail: 'Wrong key.' },
    { kind: 'suppressed', code: 'suppressed', detail: 'Complained.' },
    { kind: 'rejected', code: 'invalid_recipient', detail: 'No such address.' },
  ];
  for (const outcome of outcomes) {
    const { delivery, inFlight, settled } = createBench({ invitation: { claimId: 'claim' } });
    const delivered = delivery.deliver([7]);
    (await until('the message is in flight', () => inFlight[0])).answer(outcome);
    await delivered;
    const { kind, code, detail, afterSeconds } = outcome as Outcome & { code: string; detail: string; afterSeconds?: number };
    t.strictSame(settled(), [{ id: '7', claim_id: 'claim', outcome: kind, code, detail, retry_after_seconds: afterSeconds }]);
  }
});

t.test('no more messages are in flight than allowed, over all jobs', async (t) => {
  const { delivery, inFlight, settled, bench } = createBench({ concurrency: 3 });
  const delivered = Promise.all([delivery.deliver(ids(5)), delivery.deliver(ids(5))]);
  for (let answered = 0; answered < 10; answered += 1) {
    await until('as many are in flight as allowed', () => inFlight.length === Math.min(3, 10 - answered));
    inFlight.shift()?.answer(accepted);
  }
  await delivered;
  t.equal(bench.mostInFlight, 3);
  t.equal(settled().length, 10);
});

t.test('stop lets sends in flight finish and releases the others', async (t) => {
  const { delivery, inFlight, settled } = createBench({ concurrency: 2 });
  const delivered = delivery.deliver(ids(5));
  await until('two are in flight', () => inFlight.length === 2);
  delivery.stop();
  for (const { answer } of inFlight) answer(accepted);
  await delivered;
  t.equal(inFlight.length, 2, 'nothing more was sent');
  t.same(
    settled()
      .map(({ id, outcome }) => `${id} ${outcome}`)
      .sort(),
    ['1 accepted', '2 accepted', '3 released', '4 released', '5 released'],
  );
});

t.test("a worker whose lease doesn't cover a send releases what it has claimed", async (t) => {
  const { delivery, inFlight, settled } = createBench({ canStartSend: () => false });
  await delivery.deliver(ids(2));
  t.same(inFlight, []);
  t.match(settled(), [{ outcome: 'released' }, { outcome: 'released' }]);
});

t.test(
  'when the relay asks for a pause, messages claimed before it and not started are released; later claims are sent',
  async (t) => {
    const pauses: Outcome[] = [
      { kind: 'config', code: 'bad_key', detail: 'The key is wrong.' },
      { kind: 'retry', code: 'http_429', detail: 'Slow down.', afterSeconds: 17 },
    ];
    for (const pause of pauses) {
      const { delivery, inFlight, settled } = createBench({ concurrency: 1 });
      const before = delivery.deliver(ids(3));
      (await until('the first message is in flight', () => inFlight[0])).answer(pause);
      await before;
      t.same(
        settled().map(({ outcome }) => outcome),
        [pause.kind, 'released', 'released'],
      );
      const after = delivery.deliver([4]);
      (await until('the later message is in flight', () => inFlight[1])).answer(accepted);
      await after;
      t.match(settled().at(-1), { id: '4', outcome: 'accepted' });
    }
  },
);

t.test('a claim is open from before it is asked for until everything is settled, or until it fails', async (t) => {
  const { delivery, inFlight, bench } = createBench();
  bench.beforeClaim = () => t.equal(delivery.openClaims().length, 1, 'before the database has it');
  t.same(delivery.openClaims(), []);
  const delivered = delivery.deliver(ids(2));
  await until('both are in flight', () => inFlight.length === 2);
  inFlight[0]?.answer(accepted);
  t.equal(delivery.openClaims().length, 1);
  inFlight[1]?.answer(accepted);
  await delivered;
  t.same(delivery.openClaims(), []);
  bench.beforeClaim = () => {
    bench.beforeClaim = () => undefined;
    throw new NotReadyError('away');
  };
  const later = delivery.deliver([3]);
  await until('it has failed', () => delivery.openClaims().length === 0 && delivery.unclaimed() === 1);
  (await until('it is claimed again', () => inFlight[2])).answer(accepted);
  await later;
});

t.test('nothing is claimed after stop', async (t) => {
  const { delivery, bench } = createBench();
  delivery.stop();
  await t.rejects(delivery.add([1]), /stopping/);
  t.same(bench.claims, []);
});

t.test('a result whose row is locked is brought again until it is written, and holds up no other', async (t) => {
  for (const lock of ['row', 'suppression']) {
    const { delivery, inFlight, settles, bench } = createBench();
    if (lock === 'row') bench.locked.push('1');
    else
      bench.beforeSettle = async () => {
        if (settles.at(-1)?.some(({ id }) => id === '1')) throw Object.assign(new Error('locked'), { code: '55P03' });
      };
    const [first, second] = [delivery.deliver([1]), delivery.deliver([2])];
    await until('both are in flight', () => inFlight.length === 2);
    for (const { answer } of inFlight) answer(accepted);
    await until('the first is brought again', () => settles.filter((results) => results.some(({ id }) => id === '1')).length > 2);
    if (lock === 'row') bench.locked.pop();
    else bench.beforeSettle = async () => {};
    t.same(
      settles.at(-1)?.map(({ id }) => id),
      ['1'],
      `${lock}: the second was written without it`,
    );
    await Promise.all([first, second]);
    t.equal(inFlight.length, 2, 'each was sent once');
  }
});

t.test('results are kept while the database is away, and written when it is back', async (t) => {
  for (const away of [new NotReadyError('away'), Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })]) {
    const { delivery, inFlight, settles, bench } = createBench();
    let times = 0;
    bench.beforeSettle = async () => {
      times += 1;
      if (times === 1) throw away;
    };
    const delivered = delivery.deliver([1]);
    (await until('the message is in flight', () => inFlight[0])).answer(accepted);
    await delivered;
    t.equal(settles.length, 2);
    t.same(settles[1], settles[0], 'the same results again');
    t.equal(inFlight.length, 1, 'the message was sent once');
  }
});

t.test('after a permanent error later results are still settled', async (t) => {
  const { delivery, inFlight, settles, bench } = createBench();
  bench.beforeSettle = async () => {
    if (settles.length === 1) throw Object.assign(new Error('broken'), { code: '22003' });
  };
  const first = delivery.deliver([1]);
  (await until('the message is in flight', () => inFlight[0])).answer(accepted);
  await first;
  const second = delivery.deliver([2]);
  (await until('the message is in flight', () => inFlight[1])).answer(accepted);
  await second;
  t.match(settles[1], [{ id: '2', outcome: 'accepted' }]);
});

t.test('results that come during a settle go together with the next one', async (t) => {
  const { delivery, inFlight, settles, bench } = createBench();
  const gate = Promise.withResolvers<void>();
  bench.beforeSettle = () => gate.promise;
  const delivered = delivery.deliver(ids(10));
  await until('all are in flight', () => inFlight.length === 10);
  inFlight[0]?.answer(accepted);
  await until('the first is being settled', () => settles.length === 1);
  for (const { answer } of inFlight) answer(accepted);
  gate.resolve();
  await delivered;
  t.same(
    settles.map((settle) => settle.length),
    [1, 9],
  );
});

t.test("an invitation that can't be rendered is a retry, and the others are sent", async (t) => {
  const broken = claimedInvitation({ id: '1', subject: null as never });
  const { delivery, inFlight, settled } = createBench({ claimed: [broken, claimedInvitation({ id: '2' })] });
  const delivered = delivery.deliver([1, 2]);
  (await until('the other message is in flight', () => inFlight[0])).answer(accepted);
  await delivered;
  t.equal(inFlight.length, 1);
  t.match(
    settled().sort((a, b) => Number(a.id) - Number(b.id)),
    [
      { id: '1', outcome: 'retry', code: 'render_failed' },
      { id: '2', outcome: 'accepted' },
    ],
  );
});

t.test("a result that the database refuses doesn't keep the others from being settled", async (t) => {
  const { delivery, inFlight, settles, bench } = createBench();
  bench.beforeSettle = async () => {
    if (settles.at(-1)?.some(({ id }) => id === '2')) throw Object.assign(new Error('broken'), { code: '22P05' });
  };
  const delivered = delivery.deliver(ids(3));
  await until('all are in flight', () => inFlight.length === 3);
  for (const { answer } of inFlight) answer(accepted);
  await delivered;
  const singles = settles.filter(({ length }) => length === 1).map(([result]) => result?.id);
  t.ok(
    ['1', '3'].every((id) => singles.includes(id)),
    'the others were settled by themselves',
  );
});

t.test('first attempts share requests and slots, each message with its own outcome; later attempts go alone', async (t) => {
  const claimed = [1, 2, 3, 4, 5].map((id) => claimedInvitation({ id: String(id), attempts: id === 3 || id === 5 ? 2 : 1 }));
  const { delivery, inFlight, settled, bench } = createBench({ claimed, maxBatch: 2, concurrency: 2 });
  const delivered = delivery.deliver(ids(5));
  const seen: [string, number][] = [];
  for (let left = 4; left > 0; left -= 1) {
    const request = await until('a request is in flight', () => inFlight.shift());
    seen.push([request.messages.map(({ id }) => id).join(), request.attempt]);
    request.answers(
      request.messages.map(({ id }) =>
        id === '2' ? { kind: 'suppressed', code: 'c', detail: 'd' } : { kind: 'accepted', messageId: id },
      ),
    );
  }
  await delivered;
  t.same(seen, [
    ['1,2', 1],
    ['4', 1],
    ['3', 2],
    ['5', 2],
  ]);
  t.ok(bench.mostInFlight <= 2, 'a request is one slot');
  t.same(
    settled()
      .sort((a, b) => Number(a.id) - Number(b.id))
      .map(({ outcome, relay_message_id }) => relay_message_id ?? outcome),
    ['1', 'suppressed', '3', '4', '5'],
  );
});

t.test("a batch leaves out a message that can't be rendered, and the others keep their own outcomes", async (t) => {
  const claimed = ['1', '2', '3'].map((id) => claimedInvitation({ id, ...(id === '2' && { subject: null as never }) }));
  const { delivery, inFlight, settled } = createBench({ claimed, maxBatch: 10 });
  const delivered = delivery.deliver(ids(3));
  const request = await until('a request is in flight', () => inFlight[0]);
  t.same(
    request.messages.map(({ id }) => id),
    ['1', '3'],
  );
  request.answers([accepted, { kind: 'rejected', code: 'c', detail: 'd' }]);
  await delivered;
  t.same(
    settled().map(({ id, outcome }) => `${id} ${outcome}`),
    ['1 accepted', '2 retry', '3 rejected'],
  );
});

t.test('a message without an outcome may have been sent', async (t) => {
  const { delivery, inFlight, settled } = createBench({ maxBatch: 2 });
  const delivered = delivery.deliver(ids(2));
  (await until('a request is in flight', () => inFlight[0])).answers([accepted]);
  await delivered;
  t.match(settled(), [{ outcome: 'accepted' }, { outcome: 'unknown', code: 'no_outcome' }]);
});

const unknown: Outcome = { kind: 'unknown', code: 'timeout', detail: 'Silence.' };

t.test(
  'with hold, a message that may have been sent is unconfirmed unless it went alone and the relay replays it; other outcomes stay',
  async (t) => {
    for (const [options, answer, outcome] of [
      [{ holdUnknown: true }, unknown, 'unconfirmed'],
      [{}, unknown, 'unknown'],
      [{ replaySeconds: 60 }, unknown, 'unknown'],
      [{ holdUnknown: true, replaySeconds: 60 }, unknown, 'unknown'],
      [{ holdUnknown: true }, accepted, 'accepted'],
      [{ holdUnknown: true }, { kind: 'retry', code: 'c', detail: 'd' }, 'retry'],
    ] as const) {
      const { delivery, inFlight, settled } = createBench(options);
      const delivered = delivery.deliver(ids(1));
      (await until('a request is in flight', () => inFlight[0])).answer(answer);
      await delivered;
      t.match(settled(), [{ outcome }], JSON.stringify(options));
    }
    const { delivery, inFlight, settled } = createBench({ holdUnknown: true, replaySeconds: 60, maxBatch: 2 });
    const delivered = delivery.deliver(ids(2));
    (await until('a request is in flight', () => inFlight[0])).answers([unknown, unknown]);
    await delivered;
    t.match(settled(), [{ outcome: 'unconfirmed', code: 'timeout', detail: 'Silence.' }, { outcome: 'unconfirmed' }], 'a batch');
  },
);

t.test('with hold, a message that may have been sent is tried again only as long as the relay replays it', async (t) => {
  const since = (seconds: number) => ({ attempts: 2, unconfirmedSince: new Date(Date.now() - seconds * 1000) });
  const late = createBench({ holdUnknown: true, replaySeconds: 60, invitation: since(61) });
  await late.delivery.deliver(ids(1));
  t.same(late.inFlight, [], 'nothing is sent');
  t.match(late.settled(), [{ outcome: 'unconfirmed', code: 'not_repeated' }]);
  for (const options of [
    { holdUnknown: true, replaySeconds: 60, invitation: since(30) },
    { replaySeconds: 60, invitation: since(61) },
  ]) {
    const { delivery, inFlight, settled } = createBench(options);
    const delivered = delivery.deliver(ids(1));
    (await until('a request is in flight', () => inFlight[0])).answer(accepted);
    await delivered;
    t.match(settled(), [{ outcome: 'accepted' }]);
  }
});

t.test('after five rejections of a batch what was claimed of it is released, and other batches go on', async (t) => {
  const claimed = Array.from({ length: 24 }, (_, index) =>
    claimedInvitation({ id: String(index + 1), batchId: index < 20 ? 'bad' : 'good' }),
  );
  const { delivery, inFlight, settled } = createBench({ claimed, concurrency: 1 });
  const delivered = delivery.deliver(ids(24));
  for (let sent = 0; sent < 9; sent += 1) {
    const request = await until('a message is in flight', () => inFlight[sent]);
    request.answer(Number(request.message.id) <= 20 ? { kind: 'rejected', code: 'smtp_554', detail: 'Spam.' } : accepted);
  }
  await delivered;
  const outcomes = settled().map(({ outcome }) => outcome);
  const countOf = (outcome: string) => outcomes.filter((candidate) => candidate === outcome).length;
  t.same([inFlight.length, countOf('rejected'), countOf('released'), countOf('accepted')], [9, 5, 15, 4]);
});

t.test('an email that would be too large fails, is not sent, and says nothing about its neighbors', async (t) => {
  const claimed = Array.from({ length: 8 }, (_, index) =>
    claimedInvitation({ id: String(index + 1), message: index < 7 ? '{{survey_link}}'.repeat(5000) : 'Hello' }),
  );
  const { delivery, inFlight, settled } = createBench({ claimed, concurrency: 1 });
  const delivered = delivery.deliver(ids(8));
  (await until('the last is in flight', () => inFlight[0])).answer(accepted);
  await delivered;
  t.same(
    inFlight.map(({ message }) => message.id),
    ['8'],
  );
  t.match(settled()[0], { id: '1', outcome: 'rejected', code: 'message_too_large', detail: /262144 bytes/ });
  t.equal(settled().filter(({ outcome }) => outcome === 'rejected').length, 7);
});

t.test('large messages share a request only as far as it stays small, and none begins after a stop', async (t) => {
  const message = 'Hello. '.repeat(9000);
  const claimed = Array.from({ length: 60 }, (_, index) => claimedInvitation({ id: String(index + 1), message }));
  const { delivery, inFlight, settled } = createBench({ claimed, concurrency: 1, maxBatch: 500 });
  const delivered = delivery.deliver(ids(60));
  const sizes: number[] = [];
  for (let sent = 0; sent < 3; sent += 1) {
    const { messages, answers } = await until('a request is in flight', () => inFlight[sent]);
    sizes.push(messages.length);
    const bytes = messages.reduce((sum, { text, html }) => sum + text.length + html.length, 0);
    t.ok(bytes <= 2 * 1024 * 1024, `${bytes} bytes`);
    if (sent === 2) void delivery.stop();
    answers(messages.map(() => accepted));
  }
  await delivered;
  const sent = inFlight.flatMap(({ messages }) => messages.map(({ id }) => id));
  t.ok(sizes.every((size) => size > 10 && size < 20));
  t.equal(inFlight.length, 3);
  t.equal(new Set(sent).size, sent.length);
  t.equal(settled().filter(({ outcome }) => outcome === 'released').length, 60 - sent.length);
});

// Invitations 1 to 999 belong to one workspace, and each further 1,000 to another.
const byThousands = (id: number) => `workspace ${Math.floor(id / 1000)}`;
const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

t.test("another workspace's emails are sent in turn with a large batch that came before, and the batch goes on", async (t) => {
  const { delivery, inFlight, bench } = createBench({ concurrency: 2 });
  bench.workspaceOf = byThousands;
  const sent: number[] = [];
  const answerOne = async () => {
    const request = await until('a message is in flight', () => inFlight.shift());
    sent.push(Number(request.message.id));
    request.answer(accepted);
  };
  const batch = delivery.deliver(range(1, 900));
  for (let answered = 0; answered < 10; answered += 1) await answerOne();
  const before = inFlight.map(({ message }) => Number(message.id));
  // Single emails of other workspaces arrive steadily.
  await delivery.add(range(1000, 20));
  await delivery.add([2000]);
  await until('they are claimed', () => delivery.unclaimed() <= 900 - 400 && bench.claims.some(([ids]) => ids.includes(2000)));
  for (let answered = 0; answered < 50; answered += 1) await answerOne();
  const after = sent.slice(10).filter((id) => !before.includes(id));
  t.ok(after.indexOf(2000) >= 0 && after.indexOf(2000) < 4, `one of three: ${after.indexOf(2000)}`);
  t.ok(after.indexOf(1019) < 45, 'every second one, then');
  const own = after.slice(0, after.indexOf(1019)).filter((id) => id < 1000).length;
  t.ok(own >= 15, `the large batch has gone on: ${own}`);
  while (sent.length < 921) await answerOne();
  await batch;
  t.equal(new Set(sent).size, 921, 'each once');
});

t.test('of one workspace no more is claimed than its share, and less when others have something', async (t) => {
  const { delivery, bench } = createBench({ concurrency: 1 });
  bench.workspaceOf = byThousands;
  await delivery.add(range(1, 999));
  await until('a share is claimed', () => bench.claims.length === 4);
  t.equal(delivery.unclaimed(), 999 - 400);
  await delivery.add(range(1000, 900));
  await until('the other has its share', () => bench.claims.length === 6);
  t.equal(delivery.unclaimed(), 999 - 400 + 900 - 200);
  t.ok(bench.claims.every(([ids]) => ids.length <= 100));
});

t.test('many workspaces with little share a claim', async (t) => {
  const { delivery, bench } = createBench({ concurrency: 1 });
  bench.workspaceOf = byThousands;
  await delivery.add([...range(1, 90), 1000, 1001, 2000]);
  t.same(bench.claims, [[[1, 1000, 2000, 2, 1001, ...range(3, 88)], 'worker']]);
});

t.test('an invitation that is in the list already is claimed once', async (t) => {
  const { delivery, bench } = createBench({ concurrency: 1 });
  const gate = Promise.withResolvers<void>();
  bench.beforeClaim = () => gate.promise;
  // Four claims are running, so the rest stays in the list.
  await delivery.add(range(1, 450));
  await delivery.add(range(401, 50));
  t.equal(delivery.unclaimed(), 50);
  gate.resolve();
});

t.test('stop gives back what is not claimed, by one call, and releases what waits for the relay', async (t) => {
  const { delivery, inFlight, settled, bench } = createBench({ concurrency: 1 });
  await delivery.add(range(1, 450));
  await until('a message is in flight', () => inFlight.length === 1);
  const stopped = delivery.stop();
  inFlight[0]?.answer(accepted);
  await stopped;
  t.same(bench.requeued, [[range(401, 50), 0]]);
  t.equal(settled().filter(({ outcome }) => outcome === 'released').length, 399);
  t.equal(delivery.unclaimed(), 0);
});

t.test('a full list gives a job back for later, and takes the next one when there is room', async (t) => {
  const { delivery, inFlight, bench } = createBench({ concurrency: 1 });
  for (let from = 0; from < 100_400; from += 10_000) await delivery.add(range(from, 10_000));
  t.ok(delivery.unclaimed() >= 100_000);
  await delivery.add([200_000]);
  t.same(bench.requeued, [[[200_000], 10]]);
  t.ok(inFlight.length === 1);
});

t.test('under a rate no more is asked for than may be sent, and what is turned down keeps its place', async (t) => {
  const { delivery, inFlight, bench } = createBench({ rate: 5 });
  bench.putOff = [4, 5];
  await delivery.add(ids(12));
  const asked = () => bench.claims.map(([claimedIds]) => claimedIds);
  await until('the first claim', () => inFlight.length === 3);
  t.same(asked(), [[1, 2, 3, 4, 5]], 'not one more');
  for (const { answer } of inFlight) answer(accepted);
  await until('the next claim', () => asked().length > 1);
  t.same(asked()[1]?.slice(0, 2), [4, 5], 'before those that came later');
  const stopped = delivery.stop();
  for (const { answer } of inFlight) answer(accepted);
  await stopped;
  const remaining = 12 - 3 - new Set(asked().slice(1).flat()).size;
  t.equal((bench.requeued as [number[]][]).flatMap(([requeuedIds]) => requeuedIds).length, remaining, 'no job until it stops');
});

t.test('what all results wait for is waited for once or twice, not by each of them', async (t) => {
  const { delivery, inFlight, settles, settled, bench } = createBench({ concurrency: 20 });
  let isLocked = true;
  bench.beforeSettle = async () => {
    if (isLocked) throw Object.assign(new Error('locked'), { code: '55P03' });
  };
  const delivered = delivery.deliver(ids(20));
  await until('all are in flight', () => inFlight.length === 20);
  for (const { answer } of inFlight) answer(accepted);
  await until('all were tried', () => new Set(settled().map(({ id }) => id)).size === 20 && settles.length > 5);
  const pattern = settles.map(({ length }) => (length === 1 ? '1' : ' ')).join('');
  t.notMatch(pattern, '1111', 'not one by one');
  isLocked = false;
  await delivered;
});

t.test('emails with different senders never share a request: some relays take one sender for all', async (t) => {
  const claimed = ids(4).map((id) =>
    claimedInvitation({ id: String(id), sender: id % 2 === 0 ? { email: 'surveys@example.com', name: 'Even' } : null }),
  );
  const { delivery, inFlight } = createBench({ claimed, maxBatch: 10 });
  const delivered = delivery.deliver(ids(4));
  await until('both requests', () => inFlight.length === 2);
  t.same(
    inFlight.map(({ messages }) => messages.map(({ id, from }) => [id, from.name])),
    [
      [
        ['1', 'Surveys'],
        ['3', 'Surveys'],
      ],
      [
        ['2', 'Even'],
        ['4', 'Even'],
      ],
    ],
  );
  for (const { messages, answers } of inFlight) answers(messages.map(() => accepted));
  await delivered;
});

t.test('what is added while it stops is given back, and nothing can be added afterwards', async (t) => {
  const { delivery, bench } = createBench();
  const lookup = Promise.withResolvers<void>();
  bench.beforeLookup = () => lookup.promise;
  const adding = delivery.add([1, 2]);
  const stopping = delivery.stop();
  lookup.resolve();
  await Promise.all([adding, stopping]);
  t.same(bench.requeued, [[[1, 2], 0]]);
  t.same(bench.claims, []);
  await t.rejects(delivery.add([3]));
});
