import type { NoticeSettings, NoticesAnswer } from "#contract/index.ts";
import { selectData } from "#machines/query.ts";
import type { SettingsApi } from "#src/api/settings.ts";
import { done } from "#src/features/account/forms.ts";
import { button, type Part } from "#src/features/account/part.ts";
import { type Query, startQuery } from "#src/features/account/query.ts";

/** The settings for email notices about finished jobs. */
export interface Notices extends Part {
  list: Query<NoticesAnswer>;
  /** Shows the change at once, and reverts it if it can't be saved. */
  choose(change: Partial<NoticeSettings>): void;
}

export function createNotices(api: Pick<SettingsApi, "notices" | "changeNotices">): Notices {
  const list = startQuery<NoticesAnswer>((signal) => api.notices(signal));
  const shown = () => selectData(list.getSnapshot());
  const show = (data: NoticesAnswer) => list.send({ type: "data.changed", data });
  let saved: NoticesAnswer | null = null;
  const part = button(async (signal) => {
    try {
      // Repeats if the user makes another choice while one is being saved.
      for (let wanted = shown(); wanted !== null && wanted !== saved; wanted = shown()) {
        const { completed, failed } = wanted;
        const answer = await api.changeNotices({ completed, failed }, signal);
        saved = wanted;
        if (shown() === wanted) {
          saved = answer;
          show(answer);
        }
      }
    } catch (error) {
      if (saved !== null) show(saved);
      throw error;
    }
    return done("settings:notices.saved");
  });
  return {
    ...part,
    list,
    choose: (change) => {
      const before = shown();
      if (before === null) return;
      saved ??= before;
      show({ ...before, ...change });
      part.get().form.send({ type: "submit.requested", values: {} });
    },
  };
}
