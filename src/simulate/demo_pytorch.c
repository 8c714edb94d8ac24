/*
 * A made-up training loop under PyTorch's profiler, as Kineto writes it: the main thread fetches a
 * batch, copies it to the device and calls operators, each of which launches a kernel; autograd's
 * thread does so for the way back; the device works through its stream in order, after a latency.
 *
 * Two processes load batches, four are there when the recording begins. A batch takes them longer
 * than the device takes for a step, so that after these the device waits for data in every step:
 * that is what the trace is there to show. Times follow from the order in which things can happen,
 * and are kept in nanoseconds.
 */
#include "config.h"
#include "simulate/demo_traces.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "input/gzip_writer.h"
#include "util/order.h"
#include "util/prng.h"
#include "util/slice.h"

#define US INT64_C(1000)
#define MS INT64_C(1000000)
#define STEPS 24
#define LAYERS 16
#define LOADERS 2
#define PREFETCHED 4
#define LOAD_NS (136 * MS) /* a batch */
#define LAUNCH_NS (9 * US) /* from the call to the start on an idle device */
#define BASE_NS "1714000000000000000"

enum thread { THREAD_MAIN = 4711, THREAD_AUTOGRAD = 4790 };
enum gpu_stream { STREAM_COMPUTE = 7, STREAM_COPY = 20 };

struct training {
	struct gzip_writer *out;
	struct prng prng;
	int64_t main_ns, autograd_ns;  /* how far the threads are */
	int64_t compute_ns, copy_ns;   /* how far the streams are */
	int64_t loader_ns[LOADERS];    /* when each has its next batch */
	int64_t sequence, correlation; /* of the last operator, of the last call */
	bool is_begun;
};

static const struct layer {
	const char *forward, *backward, *kernel, *back_kernel;
	int64_t forward_ns, backward_ns; /* on the device */
} layers[LAYERS] = {
#define CONVOLUTION(factor)                                                                        \
	{                                                                                          \
		"aten::conv2d", "autograd::engine::evaluate_function: ConvolutionBackward0",       \
		    "sm80_xmma_fprop_implicit_gemm_f16f16_f16f32_f32_nhwckrsc_nhwc_"               \
		    "tilesize128x128x32",                                                          \
		    "sm80_xmma_dgrad_implicit_gemm_f16f16_f16f32_f32_nhwckrsc_nhwc_"               \
		    "tilesize128x64x32",                                                           \
		    factor * 260 * US, factor * 540 * US                                           \
	}
#define NORM                                                                                       \
	{                                                                                          \
		"aten::batch_norm",                                                                \
		    "autograd::engine::evaluate_function: CudnnBatchNormBackward0",                \
		    "cudnn::bn_fw_tr_1C11_kernel_NCHW", "cudnn::bn_bw_1C11_kernel_new", 90 * US,   \
		    130 * US                                                                       \
	}
#define RELU                                                                                       \
	{                                                                                          \
		"aten::relu_", "autograd::engine::evaluate_function: ReluBackward0",               \
		    "at::native::vectorized_elementwise_kernel<4, at::native::clamp_scalar>",      \
		    "at::native::vectorized_elementwise_kernel<4, at::native::threshold>",         \
		    45 * US, 52 * US                                                               \
	}
    CONVOLUTION(3),
    NORM,
    RELU,
    CONVOLUTION(7),
    NORM,
    RELU,
    CONVOLUTION(8),
    NORM,
    RELU,
    CONVOLUTION(8),
    NORM,
    RELU,
    CONVOLUTION(6),
    NORM,
    RELU,
    {"aten::linear", "autograd::engine::evaluate_function: AddmmBackward0",
     "ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_stages_32x6_tn",
     "ampere_fp16_s16816gemm_fp16_64x64_ldg8_f2f_stages_64x5_nt", 180 * US, 350 * US},
};

/* Within 6 % of it. */
static int64_t
about(struct training *training, int64_t ns)
{
	return ns / 1000 * (940 + (int64_t)prng_below(&training->prng, 121));
}

/* ---- records ---- */

static void
put_text(struct training *training, struct strbuf *text)
{
	gzip_writer_put(training->out, training->is_begun ? ",\n" : "\n",
	                training->is_begun ? 2 : 1);
	training->is_begun = true;
	gzip_writer_put(training->out, text->data, text->len);
	strbuf_free(text);
}

static void
add_time(struct strbuf *text, const char *key, int64_t ns)
{
	strbuf_printf(text, ", \"%s\": %" PRId64 ".%03d", key, ns / 1000, (int)(ns % 1000));
}

/* args: the members of the record's arguments. */
static void
put_span(struct training *training, const char *category, const char *name, int thread,
         int64_t start_ns, int64_t end_ns, const char *args)
{
	struct strbuf text = {0};

	strbuf_printf(&text, "{\"ph\": \"X\", \"cat\": \"%s\", \"name\": \"%s\", \"pid\": %d, ",
	              category, name, thread < THREAD_MAIN ? 0 : THREAD_MAIN);
	strbuf_printf(&text, "\"tid\": %d", thread);
	add_time(&text, "ts", start_ns);
	add_time(&text, "dur", end_ns - start_ns);
	strbuf_printf(&text, ", \"args\": {%s}}", args);
	put_text(training, &text);
}

static void
put_flow(struct training *training, char end, int thread, int64_t at_ns)
{
	struct strbuf text = {0};

	strbuf_printf(&text,
	              "{\"ph\": \"%c\", \"id\": %" PRId64 ", \"pid\": %d, \"tid\": %d, "
	              "\"cat\": \"ac2g\", \"name\": \"ac2g\"%s",
	              end, training->correlation, thread < THREAD_MAIN ? 0 : THREAD_MAIN, thread,
	              end == 'f' ? ", \"bp\": \"e\"" : "");
	add_time(&text, "ts", at_ns);
	strbuf_add_char(&text, '}');
	put_text(training, &text);
}

static void
put_name(struct training *training, const char *what, int pid, int tid, const char *name)
{
	struct strbuf text = {0};

	strbuf_printf(&text,
	              "{\"ph\": \"M\", \"name\": \"%s\", \"ts\": 0, \"pid\": %d, \"tid\": %d, "
	              "\"args\": {\"%s\": \"%s\"}}",
	              what, pid, tid, strcmp(what, "process_labels") == 0 ? "labels" : "name",
	              name);
	put_text(training, &text);
}

/* ---- calls ---- */

struct work {
	const char *call, *category, *name; /* what is called; what then runs on the device */
	enum gpu_stream stream;
	int64_t ns, bytes; /* bytes: of a copy */
};

/* Calls the driver at `at` from a thread; the work starts when its stream is free. When the call
 * returns. */
static int64_t
launch(struct training *training, int thread, int64_t at, const struct work *work)
{
	int64_t *stream_ns =
	    work->stream == STREAM_COMPUTE ? &training->compute_ns : &training->copy_ns;
	int64_t back = at + about(training, 6 * US);
	int64_t start = MOST(at + about(training, LAUNCH_NS), *stream_ns + 1200);
	char args[200];

	training->correlation++;
	*stream_ns = start + about(training, work->ns);
	snprintf(args, sizeof args, "\"External id\": %" PRId64 ", \"correlation\": %" PRId64,
	         training->sequence, training->correlation);
	put_span(training, "cuda_runtime", work->call, thread, at, back, args);
	put_flow(training, 's', thread, at);
	snprintf(args, sizeof args,
	         "\"External id\": %" PRId64 ", \"device\": 0, \"context\": 1, \"stream\": %d, "
	         "\"correlation\": %" PRId64,
	         training->sequence, (int)work->stream, training->correlation);
	if (work->bytes > 0) {
		size_t n = strlen(args);
		snprintf(args + n, sizeof args - n, ", \"bytes\": %" PRId64, work->bytes);
	}
	put_span(training, work->category, work->name, (int)work->stream, start, *stream_ns, args);
	put_flow(training, 'f', (int)work->stream, start);
	return back;
}

/* An operator of a thread with its one launch. */
static void
operate(struct training *training, int thread, int64_t *at, const char *name,
        const struct work *work)
{
	int64_t start = *at;
	char args[80];

	training->sequence++;
	*at = launch(training, thread, start + about(training, 22 * US), work) +
	      about(training, 5 * US);
	snprintf(args, sizeof args, "\"External id\": %" PRId64, training->sequence);
	put_span(training, "cpu_op", name, thread, start, *at, args);
	*at += about(training, 4 * US);
}

/* Waits for the device's stream, as a copy back to the host does. */
static void
wait_for_device(struct training *training)
{
	int64_t at = training->main_ns;
	char args[80];

	training->correlation++;
	training->main_ns = MOST(at, training->compute_ns) + about(training, 12 * US);
	snprintf(args, sizeof args, "\"External id\": %" PRId64 ", \"correlation\": %" PRId64,
	         training->sequence, training->correlation);
	put_span(training, "cuda_runtime", "cudaStreamSynchronize", THREAD_MAIN, at,
	         training->main_ns, args);
}

/* ---- the loop ---- */

static void
fetch_batch(struct training *training, int step)
{
	int64_t start = training->main_ns, ready = start;

	if (step >= PREFETCHED) {
		int64_t *loader = &training->loader_ns[step % LOADERS];
		ready = MOST(start, *loader);
		/* It goes on when its batch is taken. */
		*loader = ready + about(training, LOAD_NS);
	}
	training->main_ns = ready + about(training, 180 * US);
	put_span(training, "user_annotation",
	         "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", THREAD_MAIN,
	         start, training->main_ns, "");
	operate(training, THREAD_MAIN, &training->main_ns, "aten::copy_",
	        &(struct work){"cudaMemcpyAsync", "gpu_memcpy", "Memcpy HtoD (Pinned -> Device)",
	                       STREAM_COPY, 3300 * US, INT64_C(77070336)});
	/* What computes waits for what copies. */
	training->compute_ns = MOST(training->compute_ns, training->copy_ns);
}

static void
backward(struct training *training)
{
	training->autograd_ns = training->main_ns + about(training, 60 * US);
	for (int i = LAYERS - 1; i >= 0; i--) {
		const struct layer *layer = &layers[i];
		operate(training, THREAD_AUTOGRAD, &training->autograd_ns, layer->backward,
		        &(struct work){"cudaLaunchKernel", "kernel", layer->back_kernel,
		                       STREAM_COMPUTE, layer->backward_ns, 0});
	}
	training->main_ns = training->autograd_ns + about(training, 30 * US);
}

static void
train_step(struct training *training, int step)
{
	int64_t start = training->main_ns, from;
	char name[40];

	fetch_batch(training, step);
	for (int i = 0; i < LAYERS; i++) {
		operate(training, THREAD_MAIN, &training->main_ns, layers[i].forward,
		        &(struct work){"cudaLaunchKernel", "kernel", layers[i].kernel,
		                       STREAM_COMPUTE, layers[i].forward_ns, 0});
	}
	operate(training, THREAD_MAIN, &training->main_ns, "aten::cross_entropy_loss",
	        &(struct work){"cudaLaunchKernel", "kernel",
	                       "at::native::cunn_SoftMaxForward<4, float>", STREAM_COMPUTE, 40 * US,
	                       0});
	backward(training);
	from = training->main_ns;
	operate(training, THREAD_MAIN, &training->main_ns, "aten::_fused_adam_",
	        &(struct work){"cudaLaunchKernel", "kernel",
	                       "at::native::multi_tensor_apply_kernel<FusedAdam>", STREAM_COMPUTE,
	                       2600 * US, 0});
	put_span(training, "user_annotation", "Optimizer.step#Adam.step", THREAD_MAIN, from,
	         training->main_ns, "");
	from = training->main_ns;
	wait_for_device(training);
	put_span(training, "cpu_op", "aten::item", THREAD_MAIN, from,
	         training->main_ns += about(training, 3 * US), "");
	snprintf(name, sizeof name, "ProfilerStep#%d", step);
	put_span(training, "user_annotation", name, THREAD_MAIN, start, training->main_ns, "");
	training->main_ns += about(training, 40 * US);
}

int
demo_write_pytorch(const char *path, uint64_t seed, struct err *err)
{
	static const char head[] =
	    "{\"schemaVersion\": 1, \"distributedInfo\": {\"rank\": 0},\n"
	    "\"deviceProperties\": [{\"id\": 0, \"name\": \"made-up device\"}],\n"
	    "\"traceName\": \"lanescope demo\", \"displayTimeUnit\": \"ms\",\n"
	    "\"baseTimeNanoseconds\": " BASE_NS ",\n\"traceEvents\": [";
	static const char tail[] = "\n]}\n";
	struct gzip_writer *out = gzip_writer_open(path, 1, err);

	if (!out) {
		return -1;
	}
	struct training training = {.out = out, .prng = {seed}, .main_ns = 4 * MS};
	for (int i = 0; i < LOADERS; i++) { /* each in the midst of its work */
		training.loader_ns[i] = (PREFETCHED + 1) * LOAD_NS / 4 + i * LOAD_NS / LOADERS;
	}
	gzip_writer_put(out, head, sizeof head - 1);
	put_name(&training, "process_name", THREAD_MAIN, 0, "python train.py");
	put_name(&training, "process_labels", THREAD_MAIN, 0, "CPU");
	put_name(&training, "process_name", 0, 0, "python train.py");
	put_name(&training, "process_labels", 0, 0, "GPU 0");
	put_name(&training, "thread_name", THREAD_MAIN, THREAD_MAIN, "main");
	put_name(&training, "thread_name", THREAD_MAIN, THREAD_AUTOGRAD, "autograd");
	put_name(&training, "thread_name", 0, STREAM_COMPUTE, "stream 7");
	put_name(&training, "thread_name", 0, STREAM_COPY, "stream 20");
	for (int step = 0; step < STEPS; step++) {
		train_step(&training, step);
	}
	gzip_writer_put(out, tail, sizeof tail - 1);
	return gzip_writer_close(out, err);
}
