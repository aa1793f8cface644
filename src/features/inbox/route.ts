import { lazyRouteComponent } from "@tanstack/react-router";
import { loadTexts } from "#src/i18n/index.ts";
import type { InboxForm } from "./actor.ts";

const inbox = () => import("./actor.ts");
// One chunk for all three pages, because they differ only in their texts.
const component = lazyRouteComponent(() => import("./inbox-page.tsx"), "InboxPage");

/** Options of a route with a message form to the operator. */
export function inboxRoute(titleKey: string, name: InboxForm) {
  return {
    staticData: { titleKey },
    loader: async () => {
      const [{ enterInbox }] = await Promise.all([inbox(), loadTexts("inbox")]);
      return { inbox: { name, form: enterInbox(name) } };
    },
    onLeave: async () => (await inbox()).leaveInbox(),
    component,
  };
}
