import type { SignIn } from "#contract/index.ts";
import { selectData } from "#machines/query.ts";
import type { SettingsApi } from "#src/api/settings.ts";
import { createForm, done } from "#src/features/account/forms.ts";
import { createPart, type Part } from "#src/features/account/part.ts";
import { type Query, startQuery } from "#src/features/account/query.ts";

/** The id for all other sessions together. */
export const allOthers = "";

/** The active sessions, and the form that ends them. */
export interface ActiveSessions {
  list: Query<readonly SignIn[]>;
  /** Ends the session with the id in the field `id`, or all others with "". */
  end: Part;
  /** Called when all other sessions have ended already. */
  aloneNow(): void;
}

export function createActiveSessions(api: SettingsApi): ActiveSessions {
  const list = startQuery<readonly SignIn[]>((signal) => api.activeSessions(signal));
  const keep = (stays: (one: SignIn) => boolean) => {
    const known = selectData(list.getSnapshot());
    if (known !== null) list.send({ type: "data.changed", data: known.filter(stays) });
  };
  const aloneNow = () => keep(({ current }) => current);
  const end = createPart(() =>
    createForm(
      { id: allOthers },
      () => ({}),
      async ({ id = allOthers }, signal) => {
        if (id === allOthers) {
          await api.endOtherSessions(signal);
          aloneNow();
        } else {
          await api.endSignIn(id, signal);
          keep((one) => one.id !== id);
        }
        return done(id === allOthers ? "settings:signIns.endedAll" : "settings:signIns.ended");
      },
    ),
  );
  return { list, end, aloneNow };
}
