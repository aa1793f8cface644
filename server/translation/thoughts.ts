/** Some models think aloud before they answer: `<think>…</think>`. It may be long and is not kept. */
export function thoughtFilter(): (text: string) => string {
  const [from, to] = ["<think>", "</think>"];
  let state: "before" | "within" | "after" = "before";
  let held = "";
  return (text) => {
    if (state === "after") return text;
    held += text;
    if (state === "before") {
      const start = held.trimStart();
      if (start.length < from.length && from.startsWith(start)) return "";
      state = start.startsWith(from) ? "within" : "after";
      if (state === "after") return held;
    }
    const end = held.indexOf(to);
    if (end === -1) {
      held = held.slice(-to.length);
      return "";
    }
    state = "after";
    return held.slice(end + to.length);
  };
}
