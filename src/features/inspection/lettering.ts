import type { TFunction } from "i18next";
import { type ChartState, type ChartTransition, type Happening, statesOf, transitionKey } from "#machines/inspection/rules.ts";
import { i18n } from "#src/i18n/index.ts";
import type { Lettering } from "./drawing-graph.ts";

/** The fonts of diagram.module.css, in px. They must match, because texts are measured with them. */
const fonts = { name: "600 14px", event: "500 12px", detail: "12px" } as const;

/**
 * The readable name of a transition's event, in the page's language.
 * @param t of the namespace `inspection`
 */
export const eventText = ({ kind, event }: ChartTransition, t: TFunction): string => {
  if (kind === "after") return t("inspection:after", { delay: /^\d+$/.test(event) ? `${event} ms` : event });
  if (kind === "done") return event === "" ? t("inspection:finished") : t("inspection:succeeded", { actor: event });
  if (kind === "failed") return t("inspection:failed", { actor: event });
  return kind === "always" ? t("inspection:atOnce") : event;
};

/**
 * The readable name of an event. XState's own events have names made of ids, so they are named like the arrow that they
 * took.
 */
export function happeningText({ type, taken }: Happening, chart: ChartState, t: TFunction): string {
  if (type === "") return t("inspection:made");
  if (!type.startsWith("xstate.")) return type;
  const found = statesOf(chart).flatMap(({ path, transitions }) =>
    transitions.filter(({ id }) => taken.includes(transitionKey(path, id)) && id.startsWith(`${type}/`)),
  );
  return found[0] === undefined ? type : eventText(found[0], t);
}

/** The texts of a drawing in the page's current language, measured with the browser's fonts. */
export function browserLettering(): Lettering {
  const t = i18n.getFixedT(i18n.language);
  const canvas = document.createElement("canvas").getContext("2d");
  const family = getComputedStyle(document.body).fontFamily;
  return {
    widthOf: (text, tone) => {
      if (canvas === null) return text.length * 8;
      canvas.font = `${fonts[tone]} ${family}`;
      return Math.ceil(canvas.measureText(text).width) + 2;
    },
    eventText: (transition) => eventText(transition, t),
    activityTexts: ({ entry, exit, runs }: ChartState) => [
      ...(entry.length === 0 ? [] : [t("inspection:entry", { actions: entry.join(", ") })]),
      ...(exit.length === 0 ? [] : [t("inspection:exit", { actions: exit.join(", ") })]),
      ...(runs.length === 0 ? [] : [t("inspection:runs", { actors: runs.join(", ") })]),
    ],
    anywhere: t("inspection:anywhere"),
    more: (count) => t("inspection:more", { count }),
  };
}
