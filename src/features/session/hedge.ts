/**
 * How long to wait before repeating a refresh (ms). Must be well below the 10 s within which the server gives a
 * repeated refresh the same answer (DESIGN.md section 7).
 */
export const hedgeAfter = 6_000;

interface HedgeOptions {
  /** Resolves after the first request's time limit. @returns whether the caller still waits for an answer */
  wait(): Promise<boolean>;
  /** Whether an error means that no answer arrived. */
  isUnanswered(error: unknown): boolean;
}

/**
 * Sends a second request when the first one stays unanswered, because a lost answer causes no error for minutes. The
 * first answer counts, even a refusal. If the second request is answered first, the first is aborted, because its
 * cookie would be older. If the first is answered, the second may still arrive.
 * @throws the first answer's error, or the last error when neither was answered; what `ask` throws when the signal
 *   aborts
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
