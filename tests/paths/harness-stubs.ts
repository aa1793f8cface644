import {
  type AnyActorRef,
  type CallbackActorLogic,
  type EventObject,
  fromCallback,
  fromPromise,
  type NonReducibleUnknown,
  type PromiseActorLogic,
  SimulatedClock,
} from "xstate";

/**
 * The timing of a machine's promises. "at once": the answer arrives in the same step, as xstate/graph requires, because
 * it can't wait. "deferred": real promises, as in the page.
 */
export type Mode = "at once" | "deferred";

/** An unanswered request of a machine. */
interface Ask<Input> {
  input: Input | undefined;
}

/** A promise actor that answers when the walk says so. Each run starts without requests. */
export interface Asking<Output, Input = NonReducibleUnknown> {
  logic: PromiseActorLogic<Output, Input>;
  /** The requests of states that were not left. */
  open(): readonly Ask<Input>[];
  /** The number of requests in this run. */
  times(): number;
  /** Answers the oldest one. */
  answer(output: Output): void;
  refuse(error: unknown): void;
}

/** A callback actor that sends the walk's events. */
export interface CallbackStub<Said extends EventObject, Heard extends EventObject = Said, Input = NonReducibleUnknown> {
  logic: CallbackActorLogic<Heard, Input>;
  /** The number of running instances. */
  running(): number;
  /** The events received in this run. */
  heard: readonly Heard[];
  say(event: Said): void;
}

interface OpenAsk<Output, Input> extends Ask<Input> {
  settle(outcome: Outcome<Output>): void;
}

type Outcome<Output> = { output: Output } | { error: unknown };

/** Makes the stubs that the machine under test has around it. One run after another uses them. */
export class Stubs {
  readonly #mode: Mode;
  readonly #resets: (() => void)[] = [];

  constructor(mode: Mode) {
    this.#mode = mode;
  }

  /** Clears the data of the last run. */
  reset(): void {
    for (const reset of this.#resets) reset();
  }

  /** @param onAsk is called at every new ask */
  asking<Output, Input = NonReducibleUnknown>(onAsk?: () => void): Asking<Output, Input> {
    let asks: OpenAsk<Output, Input>[] = [];
    let times = 0;
    this.#resets.push(() => {
      asks = [];
      times = 0;
    });
    const begin = (ask: OpenAsk<Output, Input>) => {
      asks.push(ask);
      times += 1;
      onAsk?.();
    };
    const end = (ask: OpenAsk<Output, Input>) => {
      asks = asks.filter((other) => other !== ask);
    };
    const settle = (outcome: Outcome<Output>) => {
      const [oldest] = asks;
      if (oldest === undefined) throw new Error("Nobody asked.");
      end(oldest);
      oldest.settle(outcome);
    };
    return {
      logic: this.#mode === "deferred" ? deferred(begin, end) : atOnce(begin, end),
      open: () => asks,
      times: () => times,
      answer: (output) => settle({ output }),
      refuse: (error) => settle({ error }),
    };
  }

  callback<Said extends EventObject, Heard extends EventObject = Said, Input = NonReducibleUnknown>(): CallbackStub<
    Said,
    Heard,
    Input
  > {
    const heard: Heard[] = [];
    let speakers: ((event: Said) => void)[] = [];
    this.#resets.push(() => {
      heard.length = 0;
      speakers = [];
    });
    const logic = fromCallback<Heard, Input>(({ sendBack, receive }) => {
      speakers.push(sendBack);
      receive((event) => heard.push(event));
      return () => {
        speakers = speakers.filter((other) => other !== sendBack);
      };
    });
    return {
      logic,
      heard,
      running: () => speakers.length,
      say: (event) => {
        const speaker = speakers.at(-1);
        if (speaker === undefined) throw new Error(`Nobody is there to say ${event.type}.`);
        speaker(event);
      },
    };
  }
}

type Note<Output, Input> = (ask: OpenAsk<Output, Input>) => void;

function deferred<Output, Input>(begin: Note<Output, Input>, end: Note<Output, Input>): PromiseActorLogic<Output, Input> {
  return fromPromise<Output, Input>(({ input, signal }) => {
    const { promise, resolve, reject } = Promise.withResolvers<Output>();
    const ask: OpenAsk<Output, Input> = {
      input,
      settle: (outcome) => ("output" in outcome ? resolve(outcome.output) : reject(outcome.error)),
    };
    begin(ask);
    signal.addEventListener("abort", () => end(ask));
    return promise;
  });
}

const settled = "settled";

/** The same as `fromPromise`, without the promise. */
function atOnce<Output, Input>(begin: Note<Output, Input>, end: Note<Output, Input>): PromiseActorLogic<Output, Input> {
  const played = new WeakMap<AnyActorRef, { ask: OpenAsk<Output, Input>; outcome?: Outcome<Output> }>();
  return {
    getInitialSnapshot: (_, input) => ({ status: "active", output: undefined, error: undefined, input }),
    getPersistedSnapshot: (snapshot) => snapshot,
    start: ({ input }, { self }) => {
      const ask: OpenAsk<Output, Input> = {
        input,
        settle: (outcome) => {
          played.set(self, { ask, outcome });
          self.send({ type: settled });
        },
      };
      played.set(self, { ask });
      begin(ask);
    },
    transition: (snapshot, event, { self }) => {
      const { input } = snapshot;
      const play = played.get(self);
      if (event.type === "xstate.stop") {
        if (play !== undefined) end(play.ask);
        return { status: "stopped", output: undefined, error: undefined, input };
      }
      if (event.type !== settled || play?.outcome === undefined) return snapshot;
      return "output" in play.outcome
        ? { status: "done", output: play.outcome.output, error: undefined, input: undefined }
        : { status: "error", output: undefined, error: play.outcome.error, input: undefined };
    },
  };
}

/** A clock that knows when its next timer is due. */
export class WalkClock extends SimulatedClock {
  readonly #due = new Map<number, number>();

  override setTimeout(fn: () => void, timeout: number): number {
    const id = super.setTimeout(() => {
      this.#due.delete(id);
      fn();
    }, timeout);
    this.#due.set(id, this.now() + timeout);
    return id;
  }

  override clearTimeout(id: number): void {
    this.#due.delete(id);
    super.clearTimeout(id);
  }

  /** In ms; undefined without a running timer. */
  untilNext(): number | undefined {
    return this.#due.size === 0 ? undefined : Math.max(0, Math.min(...this.#due.values()) - this.now());
  }
}
