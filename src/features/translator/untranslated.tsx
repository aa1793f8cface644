import type { TFunction } from "i18next";
import { Button } from "#src/ui/button.tsx";
import type { Translator } from "./actor.ts";
import styles from "./translator.module.css";

interface UntranslatedProps extends Pick<Translator, "recorder"> {
  t: TFunction<"translator">;
  /** The language of `t`, which differs from that of the surrounding page. */
  language: string;
}

/**
 * Says that some of the current turn could not be translated. The text is kept, and translated again before it is
 * saved.
 */
export function Untranslated({ recorder, t, language }: UntranslatedProps) {
  return (
    <p className={`row gap-3 note ${styles.untranslated}`} lang={language} role="status">
      {t("turn.untranslated")}
      <Button
        icon="retry"
        onClick={({ currentTarget }) => {
          // The button disappears when it has nothing left to do.
          currentTarget.closest("section")?.focus({ preventScroll: true });
          recorder.translateAgain();
        }}
      >
        {t("turn.translateAgain")}
      </Button>
    </p>
  );
}
