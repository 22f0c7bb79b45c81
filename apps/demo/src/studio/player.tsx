import { useEffect, useRef, useState } from 'react';

import { Problem } from '../parts.tsx';

/** Plays HLS by hls.js, or by the browser itself where hls.js can't. */
export function Player({ title, url }: { title: string; url: string }) {
  const video = useRef<HTMLVideoElement>(null);
  const [error, setError] = useState<Error>();

  useEffect(() => {
    const element = video.current;
    if (!element) return undefined;
    let gone = false;
    let stop = () => {};
    async function play(element: HTMLVideoElement) {
      const { default: Hls } = await import('hls.js');
      if (gone) return;
      if (!Hls.isSupported()) {
        element.src = url;
        return;
      }
      const hls = new Hls();
      stop = () => hls.destroy();
      hls.on(Hls.Events.ERROR, (_event, { fatal, details }) => fatal && setError(new Error(details)));
      hls.loadSource(url);
      hls.attachMedia(element);
    }
    play(element).catch(setError);
    return () => {
      gone = true;
      stop();
    };
  }, [url]);

  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- uploaded videos have no captions */}
      <video ref={video} aria-label={title} controls muted autoPlay playsInline />
      <Problem of={error} />
    </>
  );
}
