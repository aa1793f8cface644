import { useTranslation } from "react-i18next";
import { Icon } from "#src/ui/icon.tsx";
import styles from "./landing.module.css";

// What of the landing page is for reading alone: loaded when all that answers to a press is in use (landing.tsx).

export { LanguagesHere } from "#src/features/engines/languages-here.tsx";

const features = [
  { key: "live", icon: "microphone" },
  { key: "files", icon: "upload" },
  { key: "translate", icon: "translate" },
  { key: "correct", icon: "edit" },
] as const;

export function Features() {
  const { t } = useTranslation();
  return (
    <section id="features" className={styles.section} aria-labelledby="features-title">
      <h2 id="features-title">{t("landing.features.title")}</h2>
      <ul className={styles.features}>
        {features.map(({ key, icon }) => (
          <li key={key}>
            <Icon name={icon} />
            <h3>{t(`landing.features.${key}.title`)}</h3>
            <p>{t(`landing.features.${key}.text`)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

const promises = ["heard", "kept", "deleted", "locked"] as const;

export function Promises() {
  const { t } = useTranslation();
  return (
    <section className={styles.promise} aria-labelledby="promise-title">
      <div>
        <h2 id="promise-title">{t("landing.promise.title")}</h2>
        <p>{t("landing.promise.text")}</p>
      </div>
      <dl>
        {promises.map((promise) => (
          <div key={promise}>
            <dt>{t(`landing.promise.${promise}.name`)}</dt>
            <dd>{t(`landing.promise.${promise}.text`)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The content of public/demo/bridge.json until play is pressed. */
const lines = [
  {
    time: "0:00",
    said: "The bridge was built more than a hundred years ago",
    meant: "El puente estuvo construido más de hace cien años",
  },
  {
    time: "0:04",
    said: "It was a good day for everyone in the village",
    meant: "Era un día bueno para todo el mundo en el pueblo",
  },
  { time: "0:07", said: "Nobody knew what would happen next", meant: "Nadie supo lo que pasaría luego" },
] as const;

export function StillLines() {
  return (
    <ol>
      {lines.map(({ time, said, meant }) => (
        <li key={time}>
          <span className={styles.time}>{time}</span>
          <p lang="en">{said}</p>
          <p lang="es" className={styles.meant}>
            {meant}
          </p>
        </li>
      ))}
    </ol>
  );
}
