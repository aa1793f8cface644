import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#src/ui/button.tsx";
import styles from "./landing.module.css";
import { Read } from "./text.tsx";

type Live = typeof import("./live-specimen.tsx");

/** A demonstration: a recording that is transcribed and translated while it plays. */
export function Specimen() {
  const { t } = useTranslation();
  const [live, setLive] = useState<Live | null>(null);
  const play = async () => {
    const loaded = await import("./live-specimen.tsx");
    loaded.startDemonstration();
    setLive(loaded);
  };
  return (
    <figure className={styles.specimen}>
      <figcaption>{t("landing.example")}</figcaption>
      {live ? <live.LiveLines /> : <Read part="StillLines" />}
      <div className={styles.demoControls}>
        {live ? (
          <live.LiveControls />
        ) : (
          <span className="needsScript">
            <Button icon="play" onClick={() => void play()}>
              {t("landing.demo.play")}
            </Button>
          </span>
        )}
        <span className={styles.small}>{t("landing.demo.honest")}</span>
      </div>
    </figure>
  );
}
