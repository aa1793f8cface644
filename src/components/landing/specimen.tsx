import { useTranslation } from "react-i18next";
import styles from "./landing.module.css";

const lines = [
  {
    time: "0:00",
    said: "Good morning everyone, thank you for coming to the library today.",
    meant: "Buenos días a todos, gracias por venir hoy a la biblioteca.",
  },
  { time: "0:06", said: "The first ships arrived in the spring.", meant: "Los primeros barcos llegaron en primavera." },
  { time: "0:09", said: "They carried wood and stone.", meant: "Llevaban madera y piedra." },
] as const;

/** What a transcript looks like; labelled as an example. */
export function Specimen() {
  const { t } = useTranslation();
  return (
    <figure className={styles.specimen}>
      <figcaption>{t("landing.example")}</figcaption>
      <ol>
        {lines.map(({ time, said, meant }, index) => (
          <li key={time}>
            <span className={styles.time}>{time}</span>
            <p lang="en" className={index === 1 ? styles.now : undefined}>
              {said}
            </p>
            <p lang="es" className={styles.meant}>
              {meant}
            </p>
          </li>
        ))}
      </ol>
    </figure>
  );
}
