import { request } from 'node:https';

/** Calls a gateway over HTTPS, trusting one authority. An answer that is not JSON is an error. */
export function callOverTls<T>(url: string, ca: string, token?: string, body?: object): Promise<T> {
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  return new Promise((resolve, reject) => {
    const options = { method: body === undefined ? 'GET' : 'POST', ca, headers, agent: false as const };
    const asked = request(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', reject).on('end', () => {
        if (response.statusCode === 200) resolve(JSON.parse(text) as T);
        else reject(new Error(`${url} answered ${response.statusCode}: ${text}`));
      });
    });
    asked.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}
