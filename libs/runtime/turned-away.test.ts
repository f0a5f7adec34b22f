import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type Duplex, PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { type Listening, listen } from './http.ts';
import { Lookout, type TurnAway } from './turned-away.ts';

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`;
const post = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

let isOnGuard = true;
let isFull = true;
let padding = '';
let turnedAway: string[] = [];
let asked: string[] = [];
const turnAway: TurnAway = {
  isOnGuard: () => isOnGuard,
  answer: ({ method, url }) => {
    if (!isFull) return undefined;
    turnedAway.push(url);
    const text = `no ${method} ${url}${padding}`;
    return { status: 503, fields: ['Content-Length', String(text.length)], text, encoding: 'latin1' };
  },
};

/** Answers what it heard, and as late as it is told to. */
let held: (() => void)[] = [];
async function heard(request: IncomingMessage, response: ServerResponse): Promise<void> {
  asked.push(request.url ?? '');
  if (request.url?.startsWith('/at-once')) {
    response.end(`heard ${request.method} ${request.url}`);
    return;
  }
  let body = '';
  for await (const piece of request.setEncoding('utf8')) body += piece;
  const text = `heard ${request.method} ${request.url} ${body}`.trim();
  const answer = (): void => {
    response.writeHead(200, ['Content-Length', String(text.length)]).end(text);
  };
  if (request.url?.startsWith('/late')) held.push(answer);
  else answer();
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

class Line {
  readonly socket: Socket;
  #received = '';

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1').setNoDelay().setEncoding('latin1');
    this.socket.on('error', () => undefined).on('data', (text) => (this.#received += text));
  }

  /** The next so many answers: their texts, or all of them. */
  async next(many = 1): Promise<string[]> {
    const texts: string[] = [];
    for (; texts.length < many; texts.push((await this.whole()).text));
    return texts;
  }

  async whole(): Promise<{ readonly head: string; readonly text: string }> {
    while (!this.#received.includes('\r\n\r\n')) await once(this.socket, 'data');
    const end = this.#received.indexOf('\r\n\r\n');
    const head = this.#received.slice(0, end);
    const whole = end + 4 + Number(/^content-length: (\d+)/im.exec(head)?.[1]);
    while (this.#received.length < whole) await once(this.socket, 'data');
    const text = this.#received.slice(end + 4, whole);
    this.#received = this.#received.slice(whole);
    return { head, text };
  }

  async ask(text: string): Promise<string> {
    this.socket.write(text, 'latin1');
    return (await this.next())[0] as string;
  }

  /** One request heard: after it the line is known to stand between two. */
  async settled(): Promise<this> {
    expect(await this.ask(get('/1'))).toBe('heard GET /1');
    return this;
  }
}

let listening: Listening;
let lines: Line[] = [];
const settledLine = (): Promise<Line> => {
  const line = new Line(listening.port);
  lines.push(line);
  return line.settled();
};
beforeEach(async () => {
  [isOnGuard, isFull, padding] = [true, true, ''];
  [held, lines, turnedAway, asked] = [[], [], [], []];
  const answerBroken = (_: Error, socket: Duplex): void => {
    socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 6\r\n\r\nbroken');
  };
  listening = await listen(heard, 0, { host: '127.0.0.1', turnAway, answerBroken });
});
afterEach(async () => {
  for (const { socket } of lines) socket.destroy();
  await listening.close();
});

test('whoever is turned away is, and heard again when there is room', async () => {
  const line = await settledLine();
  expect(await line.ask(post('/3', 'b'))).toBe('no POST /3');
  expect(await line.ask(get('/4'))).toBe('no GET /4');
  isFull = false;
  expect(await line.ask(post('/5', 'b'))).toBe('heard POST /5 b');
  isFull = true;
  expect(await line.ask(get('/6'))).toBe('no GET /6');
});

test('it is told in the same headers', async () => {
  const line = await settledLine();
  line.socket.write(get('/3'));
  const without = await line.whole();
  isFull = false;
  line.socket.write(get('/4'));
  const full = await line.whole();
  expect(without.head.split('\r\n')[0]).toBe('HTTP/1.1 503 Service Unavailable');
  const others = (head: string): string[] => head.split('\r\n').slice(1).sort();
  const days = /^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/;
  expect(others(without.head).filter((field) => !/^(Date|Content-Length)/.test(field))).toEqual(
    others(full.head).filter((field) => !/^(Date|Content-Length)/.test(field)),
  );
  for (const { head } of [without, full]) expect(others(head)).toContainEqual(expect.stringMatching(days));
});

test('nobody is looked at unless somebody was turned away of late', async () => {
  isOnGuard = false;
  const line = await settledLine();
  expect(await line.ask(get('/3'))).toBe('heard GET /3');
  isOnGuard = true;
  expect(await line.settled().then(() => line.ask(get('/4')))).toBe('no GET /4');
  isOnGuard = false;
  expect(await line.ask(get('/5'))).toBe('heard GET /5');
  isOnGuard = true;
  expect(await line.settled().then(() => line.ask(get('/6')))).toBe('no GET /6');
});

test('nobody is answered before who asked first', async () => {
  const line = await settledLine();
  isFull = false;
  line.socket.write(get('/late'));
  await until(() => held.length > 0);
  isFull = true;
  line.socket.write(get('/after'));
  await settledLine();
  held[0]?.();
  expect(await line.next(2)).toEqual(['heard GET /late', 'heard GET /after']);
  expect(await line.ask(get('/then'))).toBe('no GET /then');
});

test('several at once are heard, and so is who comes after them until they are known to be all', async () => {
  const line = await settledLine();
  line.socket.write(get('/3') + get('/4'));
  expect(await line.next(2)).toEqual(['heard GET /3', 'heard GET /4']);
  expect(await line.ask(get('/5'))).toBe('heard GET /5');
  expect(await line.ask(get('/6'))).toBe('no GET /6');
});

test('what comes in pieces is heard, whatever a piece of it looks like', async () => {
  const line = await settledLine();
  const inner = get('/inner');
  const [head, body] = post('/outer', inner).split(inner);
  line.socket.write(head as string);
  await settledLine();
  expect(await line.ask(inner + body)).toBe(`heard POST /outer ${inner}`.trim());

  // The head of one behind the other, and its body in another piece.
  line.socket.write(get('/3') + (head as string));
  expect(await line.next()).toEqual(['heard GET /3']);
  expect(await line.ask(inner)).toBe(`heard POST /outer ${inner}`.trim());

  // The end of a head that looks like a whole request.
  line.socket.write(`${get('/4')}POST /outer HTTP/1.1\r\nContent-Length: 0\r\nX: `);
  expect(await line.next()).toEqual(['heard GET /4']);
  expect(await line.ask(get('/inner'))).toBe('heard POST /outer');
  expect(await line.ask(get('/5'))).toMatch(/^(heard|no) GET \/5$/);
});

test('a request within a piece that ends another is not taken for that piece', async () => {
  const line = await settledLine();
  isFull = false;
  const hidden = `${get('/hidden')}POST /victim HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\nX: `;
  const disguise = `POST /disguise HTTP/1.1\r\nContent-Length: ${hidden.length}\r\n\r\n`;
  line.socket.write(`POST /outer HTTP/1.1\r\nHost: h\r\nContent-Length: ${disguise.length}\r\n\r\n`);
  await until(() => asked.includes('/outer'));
  line.socket.write(disguise + hidden);
  expect(await line.next(2)).toEqual([`heard POST /outer ${disguise}`.trim(), 'heard GET /hidden']);
  isFull = true;
  expect(await line.ask(get('/inner'))).toBe('heard POST /victim');
});

test('a tunnel asked for on it, or no HTTP at all, is answered as such, and harms no other line', async () => {
  const [one, other, third] = [await settledLine(), await settledLine(), await settledLine()];
  const tunnel = connect({ port: listening.port, host: '127.0.0.1', allowHalfOpen: true });
  tunnel.on('error', () => undefined).write('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(String(await once(tunnel, 'data'))).toContain('broken');
  // Node gives the reader of the tunnel to the next line, and what comes on the tunnel is for nobody.
  const next = new Line(listening.port);
  lines.push(next);
  const half = Math.floor(get('/next').length / 2);
  next.socket.write(get('/next').slice(0, half));
  await one.ask(get('/2'));
  tunnel.write(get('/of-the-tunnel'));
  await one.ask(get('/3'));
  expect(await next.ask(get('/next').slice(half))).toBe('heard GET /next');
  tunnel.destroy();
  expect(await other.ask('no HTTP\r\n\r\n')).toBe('broken');
  other.socket.write(get('/3'));
  expect(await third.ask(get('/3'))).toBe('no GET /3');
  isFull = false;
  expect(await third.ask(get('/4'))).toBe('heard GET /4');
});

test('a line that somebody else listens to is left alone', () => {
  const line = new PassThrough();
  const [node, other] = [() => undefined, () => undefined];
  line.on('data', node).on('data', other);
  new Lookout(turnAway, 1_000).opened(line as unknown as Socket);
  expect(line.listeners('data')).toEqual([node, other]);
  line.off('data', other);
  new Lookout(turnAway, 1_000).opened(line as unknown as Socket);
  expect(line.listeners('data')).not.toContain(node);
});

test('whoever does not take what he is told is heard, and waits behind it', async () => {
  const line = await settledLine();
  padding = ' '.repeat(32 * 1024 * 1024);
  line.socket.pause();
  line.socket.write(get('/3'));
  await until(() => turnedAway.includes('/3'));
  line.socket.write(get('/4'));
  await until(() => asked.includes('/4'));
  line.socket.resume();
  expect((await line.next(2)).map((text) => text.trim())).toEqual(['no GET /3', 'heard GET /4']);
});

test('whoever asks and sends nothing more is answered', async () => {
  const line = await settledLine();
  line.socket.end(get('/3'));
  expect((await line.next())[0]).toMatch(/^(no|heard) GET \/3$/);
});

const endOfRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A line that stands between two requests, and what becomes of each piece that comes on it. */
async function lineOfNobody(told: string[], lookout: Lookout): Promise<PassThrough> {
  const line = new PassThrough();
  line.write = (text: unknown) => told.push(`told ${/no (\w+ \S+)$/.exec(String(text))?.[1]}`) > 0;
  line.on('data', (piece: Buffer) => {
    const [, method, url] = /^(\w+) (\S+)/.exec(String(piece)) ?? [];
    told.push(`heard ${method} ${url}`);
    const request = { socket: line, complete: true, method, url, rawHeaders: ['Host', 'h'] };
    lookout.heard(request as unknown as IncomingMessage)?.answered();
  });
  lookout.opened(line as unknown as Socket);
  line.emit('data', Buffer.from(get('/1')));
  await endOfRound();
  told.length = 0;
  return line;
}

test('those of one round are looked at together, and told together after that, in each round who was last in the one before', async () => {
  const told: string[] = [];
  const answer: TurnAway['answer'] = (request) => {
    told.push(`looked at ${request.url}`);
    return turnAway.answer(request);
  };
  const lookout = new Lookout({ ...turnAway, answer }, 1_000);
  const [one, other] = [await lineOfNobody(told, lookout), await lineOfNobody(told, lookout)];
  const rounds: string[][] = [];
  for (let round = 0; round < 4; round += 1) {
    one.emit('data', Buffer.from(get('/2')));
    other.emit('data', Buffer.from(get('/3')));
    expect(told).toEqual([]);
    await endOfRound();
    rounds.push(told.splice(0));
  }
  const forward = ['looked at /2', 'looked at /3', 'told GET /2', 'told GET /3'];
  const backward = ['looked at /3', 'looked at /2', 'told GET /3', 'told GET /2'];
  expect(rounds).toEqual([forward, backward, forward, backward]);
});

test('whoever will be heard anyway waits for the end of the round like the others', async () => {
  const told: string[] = [];
  const lookout = new Lookout(turnAway, 1_000);
  const line = await lineOfNobody(told, lookout);
  line.emit('data', Buffer.from('GET /2 HTTP/1.1\r\n'));
  expect(told).toEqual([]);
  await endOfRound();
  expect(told).toEqual(['heard GET /2']);
  line.emit('data', Buffer.from('Host: h\r\n\r\n'));
  expect(told).toHaveLength(1);
  await endOfRound();
  expect(told).toHaveLength(2);
});

test('a round is looked at in the context of nobody', async () => {
  const context = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const answer: TurnAway['answer'] = (request) => {
    seen.push(context.getStore());
    return turnAway.answer(request);
  };
  const line = await lineOfNobody([], new Lookout({ ...turnAway, answer }, 1_000));
  context.run('of another', () => line.emit('data', Buffer.from(get('/2'))));
  await endOfRound();
  expect(seen).toEqual([undefined]);
});

test('whoever asks twice in one round is heard, in the order in which he asked', async () => {
  const told: string[] = [];
  const line = await lineOfNobody(told, new Lookout(turnAway, 1_000));
  line.emit('data', Buffer.from(get('/2')));
  line.emit('data', Buffer.from(get('/3')));
  await endOfRound();
  expect(told).toEqual(['heard GET /2', 'told GET /3']);
});

test('whoever sends nothing more is told before that is', async () => {
  const told: string[] = [];
  const line = await lineOfNobody(told, new Lookout(turnAway, 1_000));
  line.on('end', () => told.push('end'));
  line.emit('data', Buffer.from(get('/2')));
  line.emit('end');
  expect(told).toEqual(['told GET /2', 'end']);
  await endOfRound();
  expect(told).toHaveLength(2);
});

test('a burst that Node stops to read is answered whole', async () => {
  const many = 4_000;
  const line = await settledLine();
  line.socket.write(get('/at-once').repeat(many));
  const answers = await line.next(many);
  expect(new Set(answers)).toEqual(new Set(['heard GET /at-once']));
});

test('who brings more than is kept is heard at once', async () => {
  const told: string[] = [];
  const line = await lineOfNobody(told, new Lookout(turnAway, 1_000));
  line.emit('data', Buffer.from(post('/2', 'b'.repeat(16 * 1024))));
  expect(told).toEqual(['heard POST /2']);
});

test('what comes while a line is paused waits in front of it', async () => {
  const told: string[] = [];
  const line = await lineOfNobody(told, new Lookout(turnAway, 1_000));
  line.emit('data', Buffer.from(get('/2')));
  line.pause();
  line.emit('data', Buffer.from(get('/3')));
  expect(told).toEqual(['heard GET /2']);
  expect(String(line.read())).toBe(get('/3'));
});

test('one that breaks takes none of its round with it', async () => {
  const told: string[] = [];
  const answer: TurnAway['answer'] = (request) => {
    if (request.url === '/broken') throw new Error('broken');
    return turnAway.answer(request);
  };
  const lookout = new Lookout({ ...turnAway, answer }, 1_000);
  const lines = [
    await lineOfNobody(told, lookout),
    await lineOfNobody(told, lookout),
    await lineOfNobody(told, lookout),
  ];
  let endRound = (): void => undefined;
  const immediate = jest.spyOn(globalThis, 'setImmediate').mockImplementationOnce((end) => {
    endRound = end;
    return undefined as unknown as NodeJS.Immediate;
  });
  for (const [at, path] of ['/2', '/broken', '/3'].entries()) lines[at]?.emit('data', Buffer.from(get(path)));
  immediate.mockRestore();
  expect(endRound).toThrow('broken');
  expect(told.sort()).toEqual(['told GET /2', 'told GET /3']);
});

test('of a line that is gone when the round ends nothing is heard, and one that is a tunnel by then is not told anything', async () => {
  const told: string[] = [];
  const lookout = new Lookout(turnAway, 1_000);
  const [gone, tunnel] = [await lineOfNobody(told, lookout), await lineOfNobody(told, lookout)];
  gone.emit('data', Buffer.from(get('/2')));
  gone.destroy();
  tunnel.emit('data', Buffer.from(get('/3')));
  lookout.forget(tunnel as unknown as Socket);
  await endOfRound();
  expect(told).toEqual([]);
});

test('a service that ends tells it on every line', async () => {
  const line = await settledLine();
  const closed = listening.close();
  line.socket.write(get('/3'));
  const { head, text } = await line.whole();
  expect([text, head]).toEqual(['heard GET /3', expect.stringMatching(/^Connection: close$/m)]);
  await closed;
  listening = await listen(heard, 0, { host: '127.0.0.1' });
});
