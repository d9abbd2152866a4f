"""The tests of tf_models, one folder for each of its folders."""
