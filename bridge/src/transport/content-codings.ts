/**
 * Refuses answers that are encoded many times over, before `fetch` sees them (B27): the fetch of Node 20
 * refuses them as well, but leaves a stream behind whose error, when the connection ends, reaches nobody and ends the process.
 */
import type { Dispatcher } from 'undici';

/** What `fetch` takes; more than one is hardly ever seen. */
const MOST_CODINGS = 5;

/** An interceptor for `compose`, which hands it handlers of the new kind only. */
export const refuseManyCodings: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (request, handler) => dispatch(request, {
  onRequestStart: (...args) => handler.onRequestStart?.(...args),
  onResponseStart: (controller, status, headers, text) => {
    const codings = [headers['content-encoding'] ?? []].flat().join().split(',').length;
    if (codings <= MOST_CODINGS) handler.onResponseStart?.(controller, status, headers, text);
    else controller.abort(new Error(`its content is encoded ${codings} times over, more than ${MOST_CODINGS} are not accepted`));
  },
  onResponseData: (...args) => handler.onResponseData?.(...args),
  onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
  onResponseError: (...args) => handler.onResponseError?.(...args),
});
