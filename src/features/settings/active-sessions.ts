import type { SignIn } from "#contract/index.ts";
import type { SettingsApi } from "#src/api/settings.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";
import { createForm } from "#src/features/account/forms.ts";
import { button, createPart, type Part } from "#src/features/account/part.ts";

/** The id that stands for all other sessions together. */
export const allOthers = "";

/** The active sessions, and ending them. */
export interface ActiveSessions extends ReadableStore<readonly SignIn[] | null> {
  /** Loads the list. */
  list: Part;
  /** Ends the session whose id is in `id`; all others with "". */
  end: Part;
  /** All other sessions have ended already. */
  aloneNow(): void;
}

const failed = { key: "account.mailFailed", keyWithStatus: "account.mailFailed" };

export function createActiveSessions(api: SettingsApi): ActiveSessions {
  const known = createStore<readonly SignIn[] | null>(null);
  const keep = (stays: (one: SignIn) => boolean) => known.set(known.get()?.filter(stays) ?? null);
  const aloneNow = () => keep(({ current }) => current);
  const list = button(async (signal) => {
    known.set(await api.activeSessions(signal));
    return { kind: "done" };
  });
  const end = createPart(() =>
    createForm(
      { id: allOthers },
      () => ({}),
      failed,
      async ({ id = allOthers }, signal) => {
        if (id === allOthers) {
          await api.endOtherSessions(signal);
          aloneNow();
        } else {
          await api.endSignIn(id, signal);
          keep((one) => one.id !== id);
        }
        return { kind: "done", message: { key: id === allOthers ? "settings:signIns.endedAll" : "settings:signIns.ended" } };
      },
    ),
  );
  return { get: known.get, subscribe: known.subscribe, list, end, aloneNow };
}
