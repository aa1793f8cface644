import * as v from "valibot";
import { ApiError, type Call } from "#src/api/http.ts";
import { missAnswer, takeAnswer } from "#src/browser/answers.ts";
import { isServerRendered } from "#src/browser/server-rendered.ts";

/** The same call, which is not made for what has come along with the page's HTML. The renderer calls nothing: it is given its answers. */
export function withAnswers(call: Call): Call {
  return async (path, options) => {
    const answer = takeAnswer(path);
    const parsed = answer && v.safeParse(options.schema, answer.json);
    if (parsed?.success) return parsed.output;
    if (!import.meta.env.SSR || !isServerRendered()) return call(path, options);
    missAnswer(path);
    throw new ApiError(0, "network");
  };
}
