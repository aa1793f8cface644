const names = ["think", "thinking", "thought", "reasoning", "seed:think"];
/** The last two are used by gpt-oss and Gemma. */
const openings = [
  ...names.flatMap((name) => [`<${name}>`, `[${name}]`, `◁${name}▷`]),
  "<|channel|>analysis",
  "<|channel>thought",
];
/** A quoted closing tag is part of an answer. */
const closing = new RegExp(
  `(?<!["'\`“«])(?:[<[◁]/(?:${names.join("|")})[>\\]▷]|<\\|channel\\|>final<\\|message\\|>|<channel\\|>)`,
  "gi",
);
const openingAnywhere = new RegExp(`[<[◁](?:${names.join("|")})[>\\]▷]`, "i");
/** Whether an answer is about these tags: it contains an opening tag before any other. */
const mentions = (answer: string): boolean => {
  const at = answer.search(openingAnywhere);
  return at >= 0 && answer.slice(0, at).search(closing) < 0;
};
/** Characters of the longest closing tag, and of the quote before it. */
const longestClosing = "'<|channel|>final<|message|>".length;

interface ThoughtOptions {
  /** Whether the model's thoughts come without an opening tag. Then nothing is an answer before their end. */
  isThinker: boolean;
  onText(text: string): void;
  /** Called when the text so far turns out to be thoughts. */
  onRestart(): void;
}

/**
 * Removes the thoughts that some models write before the answer, `<think>…</think>`. They may be long and are not kept.
 * The opening tag may be missing: then the thoughts count as the answer until their end.
 */
export function withoutThoughts({ isThinker, onText, onRestart }: ThoughtOptions): { feed(text: string): void; end(): void } {
  let state: "before" | "within" | "waiting" | "answering" | "after" = "before";
  let held = "";
  /** Thoughts have ended; others may follow at once. */
  let hasThought = false;
  const begin = (): typeof state => {
    const start = held.trimStart().toLowerCase();
    if (openings.some((opening) => start.startsWith(opening))) return "within";
    if (openings.some((opening) => opening.startsWith(start))) return "before";
    if (hasThought) return "after";
    // JSON may quote any tag, and is never a thought.
    if (start.startsWith("{")) return "after";
    return isThinker ? "waiting" : "answering";
  };
  const pass = (text: string) => {
    if (text !== "") onText(text);
  };
  const feed = (text: string) => {
    if (state === "after") return pass(text);
    held += text;
    let fresh = text;
    if (state === "before") {
      state = begin();
      if (state === "before") return;
      if (state === "after") return pass(held);
      fresh = held;
    }
    if (state === "answering" && mentions(held)) {
      state = "after";
      return pass(fresh);
    }
    // The text before was searched already.
    closing.lastIndex = Math.max(0, held.length - fresh.length - longestClosing);
    const end = closing.exec(held);
    if (end !== null) {
      if (state === "answering") onRestart();
      hasThought = true;
      state = "before";
      const rest = held.slice(end.index + end[0].length);
      held = "";
      return feed(rest);
    }
    if (state === "answering") pass(fresh);
    if (state !== "waiting") held = held.slice(-longestClosing);
  };
  const end = () => {
    if (state === "before" || state === "waiting") pass(held);
  };
  return { feed, end };
}
