/** The server gives a refresh that is repeated within 10 s the same answer (DESIGN.md section 7): well before that, in ms. */
export const hedgeAfter = 6_000;

interface HedgeOptions {
  /** Resolves when the first request has had its time. @returns whether its answer is still waited for */
  wait(): Promise<boolean>;
  /** Whether an error means that there was no answer. */
  isUnanswered(error: unknown): boolean;
}

/**
 * Asks once more beside a request that stays without an answer: a lost answer shows no error for minutes, in which nobody could
 * go on. The first answer counts, also when it is a refusal. What was asked before it is aborted, as its cookie would be older;
 * what was asked after it may come.
 * @throws the first answer's error, or that nobody answered; what `ask` throws when the signal aborts
 */
export async function hedged<Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
  signal: AbortSignal,
  { wait, isUnanswered }: HedgeOptions,
): Promise<Answer> {
  const answer = Promise.withResolvers<Answer>();
  const first = new AbortController();
  let open = 0;
  let isOver = false;
  const send = (by: AbortSignal) => {
    open += 1;
    return ask(by).catch((error: unknown) => {
      open -= 1;
      if (open === 0 || !isUnanswered(error)) throw error;
      return answer.promise;
    });
  };
  send(AbortSignal.any([signal, first.signal])).then(answer.resolve, answer.reject);
  void wait().then((isWanted) => {
    if (isOver || signal.aborted || !isWanted) return;
    send(signal)
      .finally(() => first.abort())
      .then(answer.resolve, answer.reject);
  });
  try {
    return await answer.promise;
  } finally {
    isOver = true;
  }
}
