// What a relay can do wrong, for CHAOS=relay: before it has read a request, instead of taking it, or after it has taken it.
import type { ServerResponse } from 'node:http';
import type { Random } from './random.ts';
import { error, json } from './relay.ts';

export interface Fault {
  /** unread: before the body. refused: after the body, and nothing is taken. taken: the mails are delivered. */
  readonly when: 'unread' | 'refused' | 'taken';
  /** The worker cannot know that the relay has taken it. */
  readonly loses?: true;
  /** @param answer What the relay would have said. */
  readonly answer: (response: ServerResponse, answer: string) => void;
}

const reset = (response: ServerResponse) => void response.socket?.resetAndDestroy();
const garbage = (response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');
const hang = () => {};

const FAULTS: Record<string, Fault> = {
  'reset unread': { when: 'unread', answer: reset },
  hang: { when: 'refused', answer: hang },
  'server error': { when: 'refused', answer: (response) => json(response, 500, error(500, 'internal_server_error')) },
  'bad gateway': { when: 'refused', answer: (response) => void response.writeHead(502).end('<h1>Bad gateway</h1>') },
  'garbage instead of an answer': { when: 'refused', answer: garbage },
  'reset after taking': { when: 'taken', loses: true, answer: reset },
  'hang after taking': { when: 'taken', loses: true, answer: hang },
  'server error after taking': {
    when: 'taken',
    loses: true,
    answer: (response) => json(response, 500, error(500, 'application_error')),
  },
  'garbage after taking': { when: 'taken', loses: true, answer: garbage },
  'answer cut': {
    when: 'taken',
    loses: true,
    answer(response, answer) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
      response.write(answer.slice(0, answer.length / 2), () => response.socket?.destroy());
    },
  },
  'keep-alive connection closed': {
    when: 'taken',
    answer(response, answer) {
      const { socket } = response;
      response.once('finish', () => setImmediate(() => socket?.destroySoon()));
      json(response, 200, answer);
    },
  },
};
/** It pauses all workers, and so comes seldom. */
const TOO_MANY: Fault = {
  when: 'refused',
  answer: (response) => json(response, 429, error(429, 'rate_limit_exceeded'), { 'retry-after': '1' }),
};

/** One request in four goes wrong, until it is healed. */
export function createMisbehaviour(random: Random) {
  let healed = false;
  let faults = 0;
  return {
    fault(): Fault | undefined {
      const wrong = random.below(200) === 0 ? TOO_MANY : random.below(4) === 0 ? random.pick(Object.values(FAULTS)) : undefined;
      if (healed || wrong === undefined) return undefined;
      faults += 1;
      return wrong;
    },
    heal() {
      healed = true;
    },
    faults: () => faults,
  };
}
